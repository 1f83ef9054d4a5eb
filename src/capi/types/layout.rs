//! Checks at compile time that every struct is laid out as the C library's: its size and each field's offset.
//!
//! The numbers are of 64-bit Linux. Those of public structs are checked against the C compiler by `tests/abi.rs` as
//! well; the private ones hold where `pthread` types have the sizes of x86-64.

use super::stdio::*;
use super::*;

macro_rules! layout {
    ($type:ident, $size:literal, { $($field:ident: $offset:literal),+ $(,)? }) => {
        const _: () = {
            assert!(size_of::<$type>() == $size, concat!("size of ", stringify!($type)));
            $(assert!(
                std::mem::offset_of!($type, $field) == $offset,
                concat!("offset of ", stringify!($type), ".", stringify!($field))
            );)+
        };
    };
}

layout!(blosc2_instr, 16, { cratio: 0, cspeed: 4, filter_speed: 8, flags: 12 });
layout!(blosc2_prefilter_params, 88, {
    user_data: 0, input: 8, output: 16, output_size: 24, output_typesize: 28, output_offset: 32, nchunk:
    40, nblock: 48, tid: 52, ttmp: 56, ttmp_nbytes: 64, ctx: 72, output_is_disposable: 80
});
layout!(blosc2_postfilter_params, 80, {
    user_data: 0, input: 8, output: 16, size: 24, typesize: 28, offset: 32, nchunk: 40, nblock: 48, tid:
    52, ttmp: 56, ttmp_nbytes: 64, ctx: 72
});
layout!(blosc2_cparams, 136, {
    compcode: 0, compcode_meta: 1, clevel: 2, use_dict: 4, typesize: 8, nthreads: 12, blocksize: 16,
    splitmode: 20, schunk: 24, filters: 32, filters_meta: 38, prefilter: 48, preparams: 56, tuner_params:
    64, tuner_id: 72, instr_codec: 76, codec_params: 80, filter_params: 88
});
layout!(blosc2_dparams, 40, { nthreads: 0, schunk: 8, postfilter: 16, postparams: 24, typesize: 32 });
layout!(blosc2_storage, 40, { contiguous: 0, urlpath: 8, cparams: 16, dparams: 24, io: 32 });
layout!(blosc2_io_cb, 80, {
    id: 0, name: 8, is_allocation_necessary: 16, open: 24, close: 32, size: 40, write: 48, read: 56,
    truncate: 64, destroy: 72
});
layout!(blosc2_io, 24, { id: 0, name: 8, params: 16 });
layout!(blosc2_codec, 40, { compcode: 0, compname: 8, complib: 16, version: 17, encoder: 24, decoder: 32 });
layout!(blosc2_filter, 40, { id: 0, name: 8, version: 16, forward: 24, backward: 32 });
layout!(blosc2_tuner, 56, {
    init: 0, next_blocksize: 8, next_cparams: 16, update: 24, free: 32, id: 40, name: 48
});
layout!(blosc2_metalayer, 24, { name: 0, content: 8, content_len: 16 });
layout!(blosc2_schunk, 65840, {
    version: 0, compcode: 1, compcode_meta: 2, clevel: 3, splitmode: 4, typesize: 8, blocksize: 12,
    chunksize: 16, flags2: 20, use_dict: 21, filters: 22, filters_meta: 28, nchunks: 40, current_nchunk:
    48, nbytes: 56, cbytes: 64, data: 72, data_len: 80, storage: 88, frame: 96, cctx: 104, dctx: 112,
    metalayers: 120, nmetalayers: 248, vlmetalayers: 256, nvlmetalayers: 65792, tuner_params: 65800,
    tuner_id: 65808, ndim: 65812, blockshape: 65816, view: 65824, change_tick: 65832
});
layout!(chunk_cache_s, 16, { data: 0, nchunk: 8 });
layout!(b2nd_array_t, 1376, {
    sc: 0, shape: 8, chunkshape: 136, extshape: 200, blockshape: 328, extchunkshape: 392, nitems: 520,
    chunknitems: 528, extnitems: 536, blocknitems: 544, extchunknitems: 552, ndim: 560, chunk_cache: 568,
    item_array_strides: 584, item_chunk_strides: 712, item_extchunk_strides: 840, item_block_strides: 968,
    block_chunk_strides: 1096, chunk_array_strides: 1224, dtype: 1352, dtype_format: 1360, last_tick: 1368
});
layout!(blosc2_stdio_file, 8, { file: 0 });
layout!(blosc2_stdio_params, 1, { locking: 0 });
layout!(blosc2_stdio_mmap, 96, {
    mode: 0, initial_mapping_size: 8, needs_free: 16, addr: 24, urlpath: 32, file_size: 40, mapping_size:
    48, is_memory_only: 56, file: 64, fd: 72, access_flags: 80, map_flags: 88
});

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::super::private::*;

    layout!(blosc2_context_s, 1344, {
        src: 0, dest: 8, header_flags: 16, blosc2_flags: 17, blosc2_flags2: 18, sourcesize: 20,
        header_overhead: 24, nblocks: 28, leftover: 32, blocksize: 36, header_blocksize: 40, splitmode:
        44, output_bytes: 48, srcsize: 52, destsize: 56, typesize: 60, bstarts: 64, blocknbytes: 72,
        blockoffsets: 80, blockcbytes: 88, vlblock_sources: 96, vlblock_dests: 104, special_type: 112,
        compcode: 116, compcode_meta: 120, clevel: 124, use_dict: 128, dict_buffer: 136, dict_size: 144,
        dict_cdict: 152, dict_ddict: 160, filter_flags: 168, filters: 169, filters_meta: 175, urfilters:
        184, prefilter: 824, postfilter: 832, preparams: 840, postparams: 848, block_maskout: 856,
        block_maskout_nitems: 864, schunk: 872, serial_context: 880, do_compress: 888, tuner_params: 896,
        tuner_id: 904, codec_params: 912, filter_params: 920, nthreads: 968, new_nthreads: 970,
        thread_backend: 972, threads_started: 974, thread_contexts: 976, thread_pool: 984, pool_epoch:
        992, job: 1000, count_mutex: 1008, nchunk_mutex: 1048, thread_giveup_code: 1088, dref_not_init:
        1092, delta_mutex: 1096, delta_cv: 1136, dict_buffer_owned: 1184, end_threads: 1186, job_seq:
        1188, active_workers: 1192, thread_nblock: 1196, threads: 1200, jobs_mutex: 1208, jobs_ready:
        1248, jobs_done: 1296
    });
    layout!(b2nd_context_s, 656, {
        ndim: 0, shape: 8, chunkshape: 136, blockshape: 200, dtype: 264, dtype_format: 272, b2_storage:
        280, metalayers: 288, nmetalayers: 648
    });
    layout!(blosc2_frame_s, 176, {
        urlpath: 0, cframe: 8, avoid_cframe_free: 16, coffsets: 24, coffsets_needs_free: 32, len: 40,
        maxlen: 48, trailer_len: 56, sframe: 60, schunk: 64, file_offset: 72, locking: 80, lock_fd: 88,
        lock_depth: 96, lock_seq: 104, force_refresh: 112, refreshing: 113, read_fp: 120, read_fp_refs:
        128, read_fp_nocache: 132, read_fp_mutex: 136
    });
}
