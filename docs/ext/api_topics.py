"""Which page of the C interface a declaration stands on: the first rule that its name matches."""

import re

TOPICS = {
    "library": ("The library", "Starting, versions, errors, the settings that functions without a context go by."),
    "contexts": ("Contexts", "How to compress and decompress, and the functions that do it by a context's parameters."),
    "chunks": ("Chunks", "Chunks by the settings of the process, questions about chunks, special chunks, filters by hand."),
    "superchunks": ("Super-chunks", "Making, opening, copying, changing and reading sequences of chunks."),
    "frames": ("Frames", "Super-chunks as bytes and files; where their chunks are; locks."),
    "metalayers": ("Metalayers", "Names and bytes that a super-chunk carries beside its data."),
    "arrays": ("Arrays", "n-dimensional arrays: `#include <b2nd.h>`."),
    "io": ("Input and output", "Backends: files, memory maps, and a program's own. What a path names, removed and renamed."),
    "plugins": ("Codecs, filters, tuners and threads of your own", "What a program can register, and the ids in use."),
    "b2x": ("Additions", "What the C library does not have: `#include <blosc2_ext.h>`."),
}

RULES = [
    ("b2x", r"b2x_"),
    ("arrays", r"b2nd_|B2ND_|DTYPE_|chunk_cache_s"),
    ("metalayers", r"blosc2_(vl)?meta(_|layer)|BLOSC2_(MAX_)?(VL)?METALAYER|swap_store"),
    ("io", r"blosc2_(stdio|io|open_cb|close_cb|size_cb|write_cb|read_cb|truncate_cb|destroy_cb|register_io|get_io)"
           r"|BLOSC2_(IO|STDIO)_|blosc2_(remove|rename)_|blosc2_get_blosc2_(io|stdio)"),
    ("plugins", r"blosc2_register_|blosc2_(codec|filter|tuner|instr)|blosc_threads|blosc2_set_threads_callback"
                r"|BLOSC2_(MAX_UDFILTERS|GLOBAL_)|BLOSC_(CODEC|FILTER|TUNER)_|BLOSC_UDCODEC|codec_info|filter_info|tuner_info|BLOSC_BTUNE"),
    ("frames", r"blosc2_schunk_(to_|append_file|frame_len|from_buffer|avoid|lock|unlock|refresh)|blosc2_frame"
               r"|BLOSC2_VERSION_FRAME"),
    ("superchunks", r"blosc2_schunk|blosc2_storage|BLOSC2_STORAGE|blosc2_get_(slice|blosc2_storage)|"
                    r"blosc2_(uni|multi)dim"),
    ("contexts", r"blosc2_(\w+_ctx|ctx_\w+|create_\wctx|cparams|dparams|get_blosc2_|set_maskout|prefilter|postfilter|context)"
                 r"|BLOSC2_[CD]PARAMS|BLOSC_(ALWAYS|NEVER|AUTO|FORWARD)|BLOSC2_MAX_FILTERS|BLOSC_BLOSCLZ$|BLOSC_NOSHUFFLE"),
    ("library", r"blosc2_(init|destroy|free_resources|get_version|error|list_|comp(code|name)_|get_complib|[gs]et_nthreads"
                r"|set_delta)|blosc1_[gs]et_|blosc_(set_|elapsed|timestamp)|print_error|BLOSC2_VERSION_(M|R|S|D)"
                r"|BLOSC_(TRACE|INFO|ERROR)|BLOSC2_TRACE"),
    ("chunks", r"blosc[12]_|BLOSC"),
]


def topic_of(entry):
    for topic, pattern in RULES:
        if re.match(pattern, entry.name):
            return topic
    raise SystemExit(f"docs/ext/api_topics.py has no topic for {entry.name}")
