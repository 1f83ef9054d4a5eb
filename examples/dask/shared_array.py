"""An array in a sparse frame that Dask's workers share: what is sent to them is its path, and each opens it for itself."""

import b2nd


class SharedArray:
    """What dask.array.store() writes to and dask.array.from_array() reads from."""

    def __init__(self, path):
        self.path = path
        with b2nd.open_array(path, locking=True) as array:
            self.shape, self.chunks, self.dtype = array.shape, array.chunks, array.dtype
        self.ndim = len(self.shape)

    # Opened for every slice: nothing is kept that another worker's changes could make untrue. Taking turns is the lock's
    # business, which is why Dask's own (store's `lock`) is not needed.
    def __setitem__(self, key, value):
        with b2nd.open_array(self.path, locking=True) as array:
            array[key] = value

    def __getitem__(self, key):
        with b2nd.open_array(self.path, locking=True) as array:
            return array[key]
