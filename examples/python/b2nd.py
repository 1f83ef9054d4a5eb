"""Arrays of libblosc2 for NumPy, by ctypes: as much of the C interface as the examples need, to be taken from here and extended.

The library is the one that BLOSC2_LIBRARY names, or else the one the system's loader finds.
"""

import ctypes as c
import ctypes.util
import os

import numpy as np

MAX_DIM = 16
MAX_FILTERS = 6
BLOSCLZ, LZ4, LZ4HC, ZLIB, ZSTD = 0, 1, 2, 4, 5


class CParams(c.Structure):
    """blosc2_cparams"""

    _fields_ = [
        ("compcode", c.c_uint8),
        ("compcode_meta", c.c_uint8),
        ("clevel", c.c_uint8),
        ("use_dict", c.c_int),
        ("typesize", c.c_int32),
        ("nthreads", c.c_int16),
        ("blocksize", c.c_int32),
        ("splitmode", c.c_int32),
        ("schunk", c.c_void_p),
        ("filters", c.c_uint8 * MAX_FILTERS),
        ("filters_meta", c.c_uint8 * MAX_FILTERS),
        ("prefilter", c.c_void_p),
        ("preparams", c.c_void_p),
        ("tuner_params", c.c_void_p),
        ("tuner_id", c.c_int),
        ("instr_codec", c.c_bool),
        ("codec_params", c.c_void_p),
        ("filter_params", c.c_void_p * MAX_FILTERS),
    ]


class StdioParams(c.Structure):
    """blosc2_stdio_params"""

    _fields_ = [("locking", c.c_bool)]


class IO(c.Structure):
    """blosc2_io"""

    _fields_ = [("id", c.c_uint8), ("name", c.c_char_p), ("params", c.POINTER(StdioParams))]


class Storage(c.Structure):
    """blosc2_storage"""

    _fields_ = [
        ("contiguous", c.c_bool),
        ("urlpath", c.c_char_p),
        ("cparams", c.POINTER(CParams)),
        ("dparams", c.c_void_p),
        ("io", c.POINTER(IO)),
    ]


class Metalayer(c.Structure):
    """blosc2_metalayer"""

    _fields_ = [("name", c.c_char_p), ("content", c.c_void_p), ("content_len", c.c_int32)]


class SChunk(c.Structure):
    """blosc2_schunk, its first fields: it is only looked at where the library has put it."""

    _fields_ = [
        ("version", c.c_uint8),
        ("compcode", c.c_uint8),
        ("compcode_meta", c.c_uint8),
        ("clevel", c.c_uint8),
        ("splitmode", c.c_uint8),
        ("typesize", c.c_int32),
        ("blocksize", c.c_int32),
        ("chunksize", c.c_int32),
        ("flags2", c.c_uint8),
        ("use_dict", c.c_uint8),
        ("filters", c.c_uint8 * MAX_FILTERS),
        ("filters_meta", c.c_uint8 * MAX_FILTERS),
        ("nchunks", c.c_int64),
        ("current_nchunk", c.c_int64),
        ("nbytes", c.c_int64),
        ("cbytes", c.c_int64),
        ("data", c.c_void_p),
        ("data_len", c.c_size_t),
        ("storage", c.c_void_p),
        ("frame", c.c_void_p),
        ("cctx", c.c_void_p),
        ("dctx", c.c_void_p),
        ("metalayers", c.POINTER(Metalayer) * 16),
        ("nmetalayers", c.c_uint16),
    ]


class ChunkCache(c.Structure):
    """chunk_cache_s"""

    _fields_ = [("data", c.c_void_p), ("nchunk", c.c_int64)]


class B2ndArray(c.Structure):
    """b2nd_array_t"""

    _fields_ = [
        ("sc", c.POINTER(SChunk)),
        ("shape", c.c_int64 * MAX_DIM),
        ("chunkshape", c.c_int32 * MAX_DIM),
        ("extshape", c.c_int64 * MAX_DIM),
        ("blockshape", c.c_int32 * MAX_DIM),
        ("extchunkshape", c.c_int64 * MAX_DIM),
        ("nitems", c.c_int64),
        ("chunknitems", c.c_int32),
        ("extnitems", c.c_int64),
        ("blocknitems", c.c_int32),
        ("extchunknitems", c.c_int64),
        ("ndim", c.c_int8),
        ("chunk_cache", ChunkCache),
        ("strides", (c.c_int64 * MAX_DIM) * 6),
        ("dtype", c.c_char_p),
        ("dtype_format", c.c_int8),
    ]


Handle = c.POINTER(B2ndArray)
Schunk = c.POINTER(SChunk)
Name = c.c_char_p
Numbers = c.POINTER(c.c_int64)

SIGNATURES = {
    "blosc2_init": (None, []),
    "blosc2_error_string": (c.c_char_p, [c.c_int]),
    "blosc2_get_version_string": (c.c_char_p, []),
    "blosc2_remove_urlpath": (c.c_int, [Name]),
    "blosc2_get_blosc2_cparams_defaults": (CParams, []),
    "blosc2_schunk_open_udio": (Schunk, [Name, c.POINTER(IO)]),
    "blosc2_schunk_free": (c.c_int, [Schunk]),
    "blosc2_vlmeta_exists": (c.c_int, [Schunk, Name]),
    "blosc2_vlmeta_add": (c.c_int, [Schunk, Name, Name, c.c_int32, c.c_void_p]),
    "blosc2_vlmeta_update": (c.c_int, [Schunk, Name, Name, c.c_int32, c.c_void_p]),
    "blosc2_vlmeta_get": (c.c_int, [Schunk, Name, c.POINTER(c.c_void_p), c.POINTER(c.c_int32)]),
    "b2nd_create_ctx": (
        c.c_void_p,
        [c.POINTER(Storage), c.c_int8, Numbers, c.POINTER(c.c_int32), c.POINTER(c.c_int32), Name, c.c_int8]
        + [c.POINTER(Metalayer), c.c_int32],
    ),
    "b2nd_free_ctx": (c.c_int, [c.c_void_p]),
    "b2nd_zeros": (c.c_int, [c.c_void_p, c.POINTER(Handle)]),
    "b2nd_from_cbuffer": (c.c_int, [c.c_void_p, c.POINTER(Handle), c.c_void_p, c.c_int64]),
    "b2nd_from_schunk": (c.c_int, [Schunk, c.POINTER(Handle)]),
    "b2nd_free": (c.c_int, [Handle]),
    "b2nd_get_slice_cbuffer": (c.c_int, [Handle, Numbers, Numbers, c.c_void_p, Numbers, c.c_int64]),
    "b2nd_set_slice_cbuffer": (c.c_int, [c.c_void_p, Numbers, c.c_int64, Numbers, Numbers, Handle]),
}


def load():
    """The library, with every function's types told to ctypes."""
    path = os.environ.get("BLOSC2_LIBRARY") or ctypes.util.find_library("blosc2") or "libblosc2.so.9"
    library = c.CDLL(path)
    for name, (result, arguments) in SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    library.blosc2_init()
    return library


lib = load()
# For the memory that the library hands over.
free = c.CDLL(None).free
free.argtypes, free.restype = [c.c_void_p], None


class Blosc2Error(Exception):
    """What the library says when it fails, and its code."""

    def __init__(self, code, what):
        super().__init__(f"{what}: {lib.blosc2_error_string(code).decode()}")
        self.code = code


def check(code, what):
    if code < 0:
        raise Blosc2Error(code, what)
    return code


def io_params(locking):
    """The I/O backend for files, with locks or without. The library looks at it as long as the array is open."""
    return IO(0, b"filesystem", c.pointer(StdioParams(locking)))


def remove(path):
    check(lib.blosc2_remove_urlpath(os.fsencode(path)), path)


class Array:
    """An array of libblosc2. Made by zeros(), from_numpy() or open_array(); read and written by slices without steps."""

    def __init__(self, handle, io=None):
        self._handle, self._io = handle, io
        ndim = handle.contents.ndim
        self.shape = tuple(handle.contents.shape[:ndim])
        self.chunks = tuple(handle.contents.chunkshape[:ndim])
        self.blocks = tuple(handle.contents.blockshape[:ndim])
        self.dtype = np.dtype(handle.contents.dtype.decode())

    def close(self):
        if self._handle is not None:
            handle, self._handle = self._handle, None
            check(lib.b2nd_free(handle), "close")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def _schunk(self):
        return self._handle.contents.sc

    @property
    def nbytes(self):
        return self._schunk.contents.nbytes

    @property
    def cbytes(self):
        return self._schunk.contents.cbytes

    def _box(self, key):
        key = key if isinstance(key, tuple) else (key,)
        key += (slice(None),) * (len(self.shape) - len(key))
        ranges = [part.indices(length) for part, length in zip(key, self.shape, strict=True)]
        if any(step != 1 for _, _, step in ranges):
            raise IndexError("slices with steps are not read")
        start, stop = [r[0] for r in ranges], [max(r[0], r[1]) for r in ranges]
        numbers = c.c_int64 * len(ranges)
        shape = [b - a for a, b in zip(start, stop)]
        return numbers(*start), numbers(*stop), numbers(*shape), tuple(shape)

    def __getitem__(self, key):
        start, stop, box, shape = self._box(key)
        items = np.empty(shape, self.dtype)
        if items.size:
            code = lib.b2nd_get_slice_cbuffer(self._handle, start, stop, items.ctypes.data, box, items.nbytes)
            check(code, "read a slice")
        return items

    def __setitem__(self, key, value):
        start, stop, box, shape = self._box(key)
        items = np.ascontiguousarray(np.broadcast_to(np.asarray(value, self.dtype), shape))
        if items.size:
            code = lib.b2nd_set_slice_cbuffer(items.ctypes.data, box, items.nbytes, start, stop, self._handle)
            check(code, "write a slice")

    def meta(self, name):
        """The content of a fixed metalayer."""
        schunk = self._schunk.contents
        for layer in schunk.metalayers[: schunk.nmetalayers]:
            if layer.contents.name.decode() == name:
                return c.string_at(layer.contents.content, layer.contents.content_len)
        raise KeyError(name)

    def vlmeta(self, name):
        """The content of a metalayer of variable length."""
        content, length = c.c_void_p(), c.c_int32()
        check(lib.blosc2_vlmeta_get(self._schunk, name.encode(), c.byref(content), c.byref(length)), name)
        copy = c.string_at(content, length.value)
        free(content)
        return copy

    def set_vlmeta(self, name, content):
        there = lib.blosc2_vlmeta_exists(self._schunk, name.encode()) >= 0
        put = lib.blosc2_vlmeta_update if there else lib.blosc2_vlmeta_add
        check(put(self._schunk, name.encode(), content, len(content), None), name)


def _make(shape, chunks, blocks, dtype, path, contiguous, codec, meta, locking, maker):
    dtype, meta = np.dtype(dtype), meta or {}
    cparams = lib.blosc2_get_blosc2_cparams_defaults()
    cparams.typesize, cparams.compcode = dtype.itemsize, codec
    io = io_params(locking)
    urlpath = None if path is None else os.fsencode(path)
    storage = Storage(contiguous, urlpath, c.pointer(cparams), None, c.pointer(io))
    kept = [c.create_string_buffer(content, len(content)) for content in meta.values()]
    layers = [Metalayer(name.encode(), c.addressof(b), len(b)) for name, b in zip(meta, kept)]
    ndim = len(shape)
    ctx = lib.b2nd_create_ctx(
        storage,
        ndim,
        (c.c_int64 * ndim)(*shape),
        (c.c_int32 * ndim)(*chunks),
        (c.c_int32 * ndim)(*blocks),
        dtype.str.encode(),
        0,
        (Metalayer * max(1, len(layers)))(*layers),
        len(layers),
    )
    if not ctx:
        raise ValueError("these parameters make no array")
    handle = Handle()
    try:
        check(maker(ctx, c.byref(handle)), path or "make an array")
    finally:
        lib.b2nd_free_ctx(ctx)
    return Array(handle, io)


def zeros(shape, chunks, blocks, dtype, path=None, contiguous=True, codec=ZSTD, meta=None, locking=False):
    """A new array of zeros: in memory, in a file, or (not contiguous) in a directory."""
    return _make(shape, chunks, blocks, dtype, path, contiguous, codec, meta, locking, lib.b2nd_zeros)


def from_numpy(items, chunks, blocks, path=None, contiguous=True, codec=ZSTD, meta=None, locking=False):
    """A new array of the items of a NumPy array."""
    items = np.ascontiguousarray(items)

    def maker(ctx, handle):
        return lib.b2nd_from_cbuffer(ctx, handle, items.ctypes.data, items.nbytes)

    return _make(items.shape, chunks, blocks, items.dtype, path, contiguous, codec, meta, locking, maker)


def open_array(path, locking=False):
    """An array on disk. With `locking` it takes turns with others that ask for it too."""
    io = io_params(locking)
    schunk = lib.blosc2_schunk_open_udio(os.fsencode(path), c.byref(io))
    if not schunk:
        raise FileNotFoundError(f"{path} is not there, or no frame")
    handle = Handle()
    code = lib.b2nd_from_schunk(schunk, c.byref(handle))
    if code < 0:
        lib.blosc2_schunk_free(schunk)
    check(code, path)
    return Array(handle, io)
