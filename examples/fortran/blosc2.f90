! The interfaces of libblosc2 that the example needs. The types are those of blosc2.h and b2nd.h, field by field.
module blosc2
  use iso_c_binding
  implicit none

  integer, parameter :: max_dim = 16, max_filters = 6, max_metalayers = 16
  integer(c_int8_t), parameter :: zstd = 5

  type, bind(c) :: blosc2_cparams
    integer(c_int8_t) :: compcode, compcode_meta, clevel
    integer(c_int) :: use_dict
    integer(c_int32_t) :: typesize
    integer(c_int16_t) :: nthreads
    integer(c_int32_t) :: blocksize, splitmode
    type(c_ptr) :: schunk
    integer(c_int8_t) :: filters(max_filters), filters_meta(max_filters)
    type(c_funptr) :: prefilter
    type(c_ptr) :: preparams, tuner_params
    integer(c_int) :: tuner_id
    logical(c_bool) :: instr_codec
    type(c_ptr) :: codec_params, filter_params(max_filters)
  end type

  type, bind(c) :: blosc2_storage
    logical(c_bool) :: contiguous
    type(c_ptr) :: urlpath, cparams, dparams, io
  end type

  type, bind(c) :: blosc2_metalayer
    type(c_ptr) :: name, content
    integer(c_int32_t) :: content_len
  end type

  ! The first fields only: it is never made here, only looked at where the library has put it.
  type, bind(c) :: blosc2_schunk
    integer(c_int8_t) :: version, compcode, compcode_meta, clevel, splitmode
    integer(c_int32_t) :: typesize, blocksize, chunksize
    integer(c_int8_t) :: flags2, use_dict, filters(max_filters), filters_meta(max_filters)
    integer(c_int64_t) :: nchunks, current_nchunk, nbytes, cbytes
    type(c_ptr) :: data
    integer(c_size_t) :: data_len
    type(c_ptr) :: storage, frame, cctx, dctx, metalayers(max_metalayers)
    integer(c_int16_t) :: nmetalayers
  end type

  ! The first fields only, as well.
  type, bind(c) :: b2nd_array
    type(c_ptr) :: sc
    integer(c_int64_t) :: shape(max_dim)
    integer(c_int32_t) :: chunkshape(max_dim)
  end type

  interface
    subroutine blosc2_init() bind(c)
    end subroutine
    subroutine blosc2_destroy() bind(c)
    end subroutine
    function blosc2_get_blosc2_cparams_defaults() bind(c) result(cparams)
      import :: blosc2_cparams
      type(blosc2_cparams) :: cparams
    end function
    integer(c_int) function blosc2_remove_urlpath(path) bind(c)
      import :: c_int, c_char
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function blosc2_vlmeta_add(schunk, name, content, content_len, cparams) bind(c)
      import :: c_int, c_int32_t, c_ptr, c_char
      type(c_ptr), value :: schunk, cparams
      character(kind=c_char), intent(in) :: name(*), content(*)
      integer(c_int32_t), value :: content_len
    end function
    integer(c_int) function blosc2_vlmeta_get(schunk, name, content, content_len) bind(c)
      import :: c_int, c_int32_t, c_ptr, c_char
      type(c_ptr), value :: schunk
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: content
      integer(c_int32_t), intent(out) :: content_len
    end function
    type(c_ptr) function b2nd_create_ctx(storage, ndim, shape, chunkshape, blockshape, dtype, dtype_format, &
                                         metalayers, nmetalayers) bind(c)
      import :: c_ptr, c_int8_t, c_int32_t, c_int64_t, c_char, blosc2_storage, blosc2_metalayer
      type(blosc2_storage), intent(in) :: storage
      integer(c_int8_t), value :: ndim, dtype_format
      integer(c_int64_t), intent(in) :: shape(*)
      integer(c_int32_t), intent(in) :: chunkshape(*), blockshape(*)
      character(kind=c_char), intent(in) :: dtype(*)
      type(blosc2_metalayer), intent(in) :: metalayers(*)
      integer(c_int32_t), value :: nmetalayers
    end function
    integer(c_int) function b2nd_free_ctx(ctx) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: ctx
    end function
    integer(c_int) function b2nd_from_cbuffer(ctx, array, buffer, buffersize) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: ctx, buffer
      type(c_ptr), intent(out) :: array
      integer(c_int64_t), value :: buffersize
    end function
    integer(c_int) function b2nd_open(urlpath, array) bind(c)
      import :: c_int, c_ptr, c_char
      character(kind=c_char), intent(in) :: urlpath(*)
      type(c_ptr), intent(out) :: array
    end function
    integer(c_int) function b2nd_get_slice_cbuffer(array, start, stop, buffer, buffershape, buffersize) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: array, buffer
      integer(c_int64_t), intent(in) :: start(*), stop(*), buffershape(*)
      integer(c_int64_t), value :: buffersize
    end function
    integer(c_int) function b2nd_free(array) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: array
    end function
    subroutine c_free(memory) bind(c, name="free")
      import :: c_ptr
      type(c_ptr), value :: memory
    end subroutine
  end interface

contains

  ! Ends the program when a function of the library failed: then it gives a negative code.
  subroutine must(code, what)
    integer(c_int), intent(in) :: code
    character(*), intent(in) :: what
    if (code < 0) then
      print '(a, a, i0)', what, " failed with code ", code
      error stop 1
    end if
  end subroutine

end module
