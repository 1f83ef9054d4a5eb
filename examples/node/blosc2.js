// The part of libblosc2 that the example needs, by koffi. The library is the one that BLOSC2_LIBRARY names, or else the one
// that the system's loader finds.
import koffi from "koffi";

const lib = koffi.load(process.env.BLOSC2_LIBRARY ?? "libblosc2.so.9");

// The types of blosc2.h and b2nd.h, field by field.
koffi.struct("blosc2_cparams", {
  compcode: "uint8_t",
  compcode_meta: "uint8_t",
  clevel: "uint8_t",
  use_dict: "int",
  typesize: "int32_t",
  nthreads: "int16_t",
  blocksize: "int32_t",
  splitmode: "int32_t",
  schunk: "void *",
  filters: koffi.array("uint8_t", 6),
  filters_meta: koffi.array("uint8_t", 6),
  prefilter: "void *",
  preparams: "void *",
  tuner_params: "void *",
  tuner_id: "int",
  instr_codec: "bool",
  codec_params: "void *",
  filter_params: koffi.array("void *", 6),
});
koffi.struct("blosc2_storage", {
  contiguous: "bool",
  urlpath: "const char *",
  cparams: "blosc2_cparams *",
  dparams: "void *",
  io: "void *",
});
koffi.struct("blosc2_metalayer", { name: "const char *", content: "uint8_t *", content_len: "int32_t" });

// The first fields only: these are never made here, only looked at where the library has put them.
const Schunk = koffi.struct("blosc2_schunk", {
  codec: koffi.array("uint8_t", 5),
  typesize: "int32_t",
  blocksize: "int32_t",
  chunksize: "int32_t",
  flags: koffi.array("uint8_t", 14),
  nchunks: "int64_t",
  current_nchunk: "int64_t",
  nbytes: "int64_t",
  cbytes: "int64_t",
  data: "void *",
  data_len: "size_t",
  storage: "void *",
  frame: "void *",
  cctx: "void *",
  dctx: "void *",
  metalayers: koffi.array("void *", 16),
  nmetalayers: "uint16_t",
});
const B2ndArray = koffi.struct("b2nd_array_t", { sc: "void *", shape: koffi.array("int64_t", 16) });
const MetalayerFields = koffi.struct({ name: "const char *", content: "void *", content_len: "int32_t" });

const errorString = lib.func("const char *blosc2_error_string(int code)");
const cparamsDefaults = lib.func("blosc2_cparams blosc2_get_blosc2_cparams_defaults()");
const vlmetaAdd = lib.func(
  "int blosc2_vlmeta_add(void *schunk, const char *name, const uint8_t *content, int32_t length, void *cparams)",
);
const vlmetaGet = lib.func(
  "int blosc2_vlmeta_get(void *schunk, const char *name, _Out_ void **content, _Out_ int32_t *length)",
);
const createCtx = lib.func(
  "void *b2nd_create_ctx(const blosc2_storage *storage, int8_t ndim, const int64_t *shape, const int32_t *chunkshape, " +
    "const int32_t *blockshape, const char *dtype, int8_t format, const blosc2_metalayer *metalayers, int32_t count)",
);
const freeCtx = lib.func("int b2nd_free_ctx(void *ctx)");
const fromBuffer = lib.func("int b2nd_from_cbuffer(void *ctx, _Out_ void **array, const void *buffer, int64_t size)");
const openArray = lib.func("int b2nd_open(const char *path, _Out_ void **array)");
const freeArray = lib.func("int b2nd_free(void *array)");
const getSlice = lib.func(
  "int b2nd_get_slice_cbuffer(void *array, const int64_t *start, const int64_t *stop, _Out_ void *buffer, " +
    "const int64_t *shape, int64_t size)",
);
const removePath = lib.func("int blosc2_remove_urlpath(const char *path)");
// For the memory that the library hands over.
const free = koffi.load(null).func("void free(void *memory)");

lib.func("void blosc2_init()")();

export const codecs = { blosclz: 0, lz4: 1, lz4hc: 2, zlib: 4, zstd: 5 };

export class Blosc2Error extends Error {
  constructor(code, what) {
    super(`${what}: ${errorString(code)}`);
    this.code = code;
  }
}

function check(code, what) {
  if (code < 0) throw new Blosc2Error(code, what);
  return code;
}

export function remove(path) {
  check(removePath(path), path);
}

const numbers = (list) => BigInt64Array.from(list, BigInt);

/** An array of doubles in a file. */
export class DoubleArray {
  #handle;

  constructor(handle) {
    this.#handle = handle;
  }

  /** Writes `items`, a Float64Array in C order, to a new file. `meta`: fixed metalayers, name to Uint8Array. */
  static create(path, items, { shape, chunks, blocks, codec = codecs.zstd, meta = {} }) {
    const cparams = { ...cparamsDefaults(), typesize: 8, compcode: codec };
    const storage = { contiguous: true, urlpath: path, cparams, dparams: null, io: null };
    const layers = Object.entries(meta).map(([name, content]) => ({ name, content, content_len: content.length }));
    const ctx = createCtx(
      storage,
      shape.length,
      numbers(shape),
      Int32Array.from(chunks),
      Int32Array.from(blocks),
      "<f8",
      0,
      layers,
      layers.length,
    );
    if (!ctx) throw new Error("these parameters make no array");
    try {
      const out = [null];
      check(fromBuffer(ctx, out, items, items.byteLength), path);
      return new DoubleArray(out[0]);
    } finally {
      freeCtx(ctx);
    }
  }

  static open(path) {
    const out = [null];
    check(openArray(path, out), path);
    return new DoubleArray(out[0]);
  }

  get #fields() {
    return koffi.decode(this.#handle, B2ndArray);
  }
  get schunk() {
    return koffi.decode(this.#fields.sc, Schunk);
  }
  /** Items along the first `ndim` axes. */
  shape(ndim) {
    return [...this.#fields.shape].slice(0, ndim).map(Number);
  }

  /** The items from `start` up to `stop`, in C order. */
  slice(start, stop) {
    const shape = stop.map((end, axis) => end - start[axis]);
    const items = new Float64Array(shape.reduce((product, length) => product * length, 1));
    check(getSlice(this.#handle, numbers(start), numbers(stop), items, numbers(shape), items.byteLength), "slice");
    return items;
  }

  /** The content of a fixed metalayer. */
  meta(name) {
    const { metalayers, nmetalayers } = this.schunk;
    for (const pointer of metalayers.slice(0, nmetalayers)) {
      const layer = koffi.decode(pointer, MetalayerFields);
      if (layer.name === name) return Uint8Array.from(koffi.decode(layer.content, "uint8_t", layer.content_len));
    }
    throw new Error(`there is no metalayer ${name}`);
  }

  /** The content of a metalayer of variable length. */
  vlmeta(name) {
    const content = [null];
    const length = [0];
    check(vlmetaGet(this.#fields.sc, name, content, length), name);
    const bytes = Uint8Array.from(koffi.decode(content[0], "uint8_t", length[0]));
    free(content[0]);
    return bytes;
  }
  addVlmeta(name, content) {
    check(vlmetaAdd(this.#fields.sc, name, content, content.length, null), name);
  }

  close() {
    check(freeArray(this.#handle), "close");
    this.#handle = null;
  }
}
