"""The story that is told in every language here: write an array to a file, with two metalayers; open it again; cut a slice;
check it. Needs NumPy, and libblosc2 by way of ctypes."""

import os

import numpy as np

import b2nd

PATH = "story-python.b2nd"

if os.path.exists(PATH):
    b2nd.remove(PATH)

data = 1000.0 * np.arange(300)[:, None] + np.arange(200)
with b2nd.from_numpy(data, chunks=(100, 100), blocks=(20, 50), path=PATH, meta={"level": bytes([42])}) as array:
    array.set_vlmeta("note", b"written by Python")

with b2nd.open_array(PATH) as array:
    note = array.vlmeta("note").decode()
    assert array.meta("level") == bytes([42])
    assert note == "written by Python"
    np.testing.assert_array_equal(array[99:102, 98:103], data[99:102, 98:103])
    np.testing.assert_array_equal(array[:], data)
    print(f'ok story.py: {array.shape} of {array.dtype}, "{note}", {array.nbytes} bytes in {array.cbytes}')

try:
    b2nd.open_array("not there.b2nd")
    raise SystemExit("a file that is not there was opened")
except FileNotFoundError:
    pass
b2nd.remove(PATH)
