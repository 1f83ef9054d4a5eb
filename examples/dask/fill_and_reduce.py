"""Dask workers, each a process of its own, fill one sparse frame and then reduce it, under the library's lock.

PYTHONPATH=examples/python:examples/dask python examples/dask/fill_and_reduce.py
"""

import os

import b2nd
import dask
import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster
from shared_array import SharedArray

PATH = "dask.b2nd"
SHAPE, CHUNKS, BLOCKS = (1200, 800), (100, 200), (25, 100)
WORKERS = 3


def waves(block_info=None):
    """The items of one chunk, and in its corner which process made them."""
    (top, bottom), (left, right) = block_info[None]["array-location"]
    rows, columns = np.arange(top, bottom)[:, None], np.arange(left, right)
    items = np.sin(rows / 50) * np.cos(columns / 30)
    items[0, 0] = os.getpid()
    return items


def main():
    # Not contiguous: a directory with a file for each chunk, and an index. Workers write files of their own, and take turns
    # only for the index.
    if os.path.exists(PATH):
        b2nd.remove(PATH)
    b2nd.zeros(SHAPE, CHUNKS, BLOCKS, "<f8", path=PATH, contiguous=False, locking=True).close()

    with LocalCluster(n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster):
            shared = SharedArray(PATH)
            # Dask's chunks are the frame's: no two workers ever write to the same one.
            field = da.map_blocks(waves, chunks=da.core.normalize_chunks(CHUNKS, SHAPE), dtype="<f8")
            da.store(field, shared, lock=False)
            stored = da.from_array(shared, chunks=CHUNKS)
            total, means = dask.compute(stored.sum(), stored.mean(axis=0))

    # The same without Dask, from the frame and from the formula.
    with b2nd.open_array(PATH) as array:
        items, nbytes, cbytes = array[:], array.nbytes, array.cbytes
    makers = items[:: CHUNKS[0], :: CHUNKS[1]]
    expected = np.sin(np.arange(SHAPE[0])[:, None] / 50) * np.cos(np.arange(SHAPE[1]) / 30)
    expected[:: CHUNKS[0], :: CHUNKS[1]] = makers
    np.testing.assert_array_equal(items, expected)
    np.testing.assert_allclose(total, items.sum())
    np.testing.assert_allclose(means, items.mean(axis=0))
    processes = len(set(makers.flat))
    assert 1 < processes <= WORKERS and os.getpid() not in makers, makers
    print(f"ok dask: {processes} processes filled {makers.size} chunks, {nbytes} bytes in {cbytes}")
    b2nd.remove(PATH)


if __name__ == "__main__":
    main()
