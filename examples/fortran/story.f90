! The story that is told in every language here: write an array to a file, with two metalayers; open it again; cut a slice;
! check it.
!
! Fortran counts the first index fastest and the library the last one: data(200, 300) here is an array of 300 x 200 there.
program story
  use iso_c_binding
  use blosc2
  implicit none

  integer, parameter :: rows = 300, columns = 200
  character(*), parameter :: path = "story-fortran.b2nd" // c_null_char, written_by = "written by Fortran"
  integer(c_int) :: ignored

  call blosc2_init()
  ignored = blosc2_remove_urlpath(path)
  call write_it()
  call read_it()
  call must(blosc2_remove_urlpath(path), "removing the file")
  call blosc2_destroy()

contains

  subroutine write_it()
    real(c_double), allocatable, target :: data(:, :)
    character(kind=c_char), target :: urlpath(len(path)), name(6) = ["l", "e", "v", "e", "l", c_null_char]
    integer(c_int8_t), target :: level = 42_c_int8_t
    type(blosc2_cparams), target :: cparams
    type(blosc2_storage) :: storage
    type(blosc2_metalayer) :: metalayers(1)
    type(c_ptr) :: ctx, array
    type(b2nd_array), pointer :: fields
    integer :: i, j

    allocate (data(columns, rows))
    do i = 1, rows
      do j = 1, columns
        data(j, i) = 1000.0_c_double * (i - 1) + (j - 1)
      end do
    end do
    urlpath = transfer(path, urlpath)
    cparams = blosc2_get_blosc2_cparams_defaults()
    cparams%compcode = zstd
    cparams%typesize = int(c_sizeof(data(1, 1)), c_int32_t)
    storage = blosc2_storage(.true._c_bool, c_loc(urlpath), c_loc(cparams), c_null_ptr, c_null_ptr)
    metalayers(1) = blosc2_metalayer(c_loc(name), c_loc(level), 1)

    ctx = b2nd_create_ctx(storage, 2_c_int8_t, [300_c_int64_t, 200_c_int64_t], [100_c_int32_t, 100_c_int32_t], &
                          [20_c_int32_t, 50_c_int32_t], "<f8" // c_null_char, 0_c_int8_t, metalayers, 1)
    if (.not. c_associated(ctx)) error stop "these parameters make no array"
    call must(b2nd_from_cbuffer(ctx, array, c_loc(data), size(data, kind=c_int64_t) * 8), "writing")
    call c_f_pointer(array, fields)
    call must(blosc2_vlmeta_add(fields%sc, "note" // c_null_char, written_by, len(written_by), c_null_ptr), "the note")
    call must(b2nd_free(array), "closing")
    call must(b2nd_free_ctx(ctx), "freeing")
  end subroutine

  subroutine read_it()
    type(c_ptr) :: array, content
    type(b2nd_array), pointer :: fields
    type(blosc2_schunk), pointer :: schunk
    type(blosc2_metalayer), pointer :: layer
    integer(c_int8_t), pointer :: level
    character(kind=c_char), pointer :: note(:)
    integer(c_int32_t) :: length
    integer(c_int64_t) :: expected_shape(2) = [300_c_int64_t, 200_c_int64_t]
    real(c_double), target :: slice(5, 3)
    integer :: i, j

    call must(b2nd_open(path, array), "opening")
    call c_f_pointer(array, fields)
    call c_f_pointer(fields%sc, schunk)
    if (any(fields%shape(1:2) /= expected_shape)) error stop "the shape is another one"

    ! The array's own metalayer is the first one, ours the second.
    if (schunk%nmetalayers /= 2) error stop "there are not two metalayers"
    call c_f_pointer(schunk%metalayers(2), layer)
    call c_f_pointer(layer%content, level)
    if (layer%content_len /= 1 .or. level /= 42) error stop "the level is another one"

    call must(blosc2_vlmeta_get(fields%sc, "note" // c_null_char, content, length), "the note")
    call c_f_pointer(content, note, [length])
    if (length /= len(written_by)) error stop "the note has another length"
    do i = 1, length
      if (note(i) /= written_by(i:i)) error stop "the note is another one"
    end do
    call c_free(content)

    ! Rows 99 to 101 and columns 98 to 102, counted from 0.
    call must(b2nd_get_slice_cbuffer(array, [99_c_int64_t, 98_c_int64_t], [102_c_int64_t, 103_c_int64_t], c_loc(slice), &
                                     [3_c_int64_t, 5_c_int64_t], int(c_sizeof(slice), c_int64_t)), "slicing")
    do i = 1, 3
      do j = 1, 5
        if (abs(slice(j, i) - (1000.0_c_double * (98 + i) + 97 + j)) > 0) error stop "the slice is another one"
      end do
    end do
    print '(a, i0, a, i0, 3a, i0, a, i0)', "ok story.f90: ", fields%shape(1), " x ", fields%shape(2), ', "', written_by, &
      '", ', schunk%nbytes, " bytes in ", schunk%cbytes
    call must(b2nd_free(array), "closing")
  end subroutine

end program
