"""The little of libblosc2 that the pictures need, by ctypes."""

import ctypes as ct
import struct


class Array(ct.Structure):
    """The front of `b2nd_array_t`."""

    _fields_ = [("schunk", ct.c_void_p), ("shape", ct.c_int64 * 16), ("chunkshape", ct.c_int32 * 16),
                ("extshape", ct.c_int64 * 16), ("blockshape", ct.c_int32 * 16)]


class Terrain:
    """The array of two dimensions and two-byte items at `path`."""

    def __init__(self, library, path):
        self.blosc = ct.CDLL(str(library))
        handle = ct.POINTER(Array)()
        must(self.blosc.b2nd_open(str(path).encode(), ct.byref(handle)))
        self.array, handle = handle, handle.contents
        self.shape, self.chunkshape, self.blockshape = handle.shape[:2], handle.chunkshape[:2], handle.blockshape[:2]

    def items(self):
        size = 2 * self.shape[0] * self.shape[1]
        buffer = ct.create_string_buffer(size)
        must(self.blosc.b2nd_to_cbuffer(self.array, buffer, ct.c_int64(size)))
        return struct.unpack(f"<{size // 2}h", buffer.raw)

    def delete_chunk(self, n):
        must(self.blosc.blosc2_schunk_delete_chunk(ct.c_void_p(self.array.contents.schunk), ct.c_int64(n)))

    def chunk(self, n):
        """Chunk `n`, compressed."""
        chunk, needs_free = ct.c_void_p(), ct.c_bool()
        schunk = ct.c_void_p(self.array.contents.schunk)
        size = must(self.blosc.blosc2_schunk_get_chunk(schunk, ct.c_int64(n), ct.byref(chunk), ct.byref(needs_free)))
        return ct.string_at(chunk, size)


def must(code):
    if code < 0:
        raise SystemExit(f"the library says {code}")
    return code
