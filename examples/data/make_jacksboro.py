"""Writes jacksboro.b2nd with the C library's Python package, out of Matplotlib's sample data.

    python make_jacksboro.py path/to/jacksboro_fault_dem.npz
"""

import sys

import blosc2
import numpy as np

source = np.load(sys.argv[1])
elevation = source["elevation"].astype("<i2")
array = blosc2.asarray(
    elevation,
    chunks=(128, 128),
    blocks=(32, 64),
    cparams=blosc2.CParams(codec=blosc2.Codec.ZSTD, clevel=9, filters=[blosc2.Filter.SHUFFLE]),
    urlpath="jacksboro.b2nd",
    mode="w",
)
array.schunk.vlmeta["origin"] = (
    "Elevation in metres around the Jacksboro fault, Tennessee, USA; U.S. Geological Survey, public domain"
)
array.schunk.vlmeta["grid"] = "west {} north {} step {}".format(source["xmin"], source["ymin"], source["dx"])
