"""Opens what examples/terrain.c wrote with the C library's Python package, and computes it again with NumPy.

    python check_slope.py jacksboro.b2nd slope.b2nd
"""

import sys

import blosc2
import numpy as np

elevation = blosc2.open(sys.argv[1], mode="r")
slope = blosc2.open(sys.argv[2], mode="r")
assert slope.shape == elevation.shape and slope.chunks == elevation.chunks and slope.blocks == elevation.blocks
assert slope.dtype == np.float32

_, _, _, north, _, step = elevation.schunk.vlmeta["grid"].split()
z = elevation[:].astype("f8")
dy = float(step) * 111200.0
dx = dy * np.cos(np.radians(float(north)))
east = (z[1:-1, 2:] - z[1:-1, :-2]) / (2 * dx)
up = (z[:-2, 1:-1] - z[2:, 1:-1]) / (2 * dy)
want = np.zeros(z.shape)
want[1:-1, 1:-1] = np.degrees(np.arctan(np.hypot(east, up)))
np.testing.assert_allclose(slope[:], want, rtol=1 / 2048, atol=1e-6)
print(f"The C library reads the slopes: {slope.shape}, {slope.dtype}, {slope.schunk.cratio:.1f} to 1, as computed.")
