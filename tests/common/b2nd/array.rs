//! What can be done with an array of the reference.

use super::{CArray, RefArray, call, checked};
use std::ffi::{CString, c_char, c_int};
use std::ptr::{null, null_mut};

impl<'r> RefArray<'r> {
    /// `b2nd_squeeze`.
    pub fn squeeze(&self) -> Result<RefArray<'r>, i32> {
        let mut view = null_mut();
        let code = call!(
            self.b2nd,
            "b2nd_squeeze",
            fn(*mut CArray, *mut *mut CArray) -> c_int,
            self.array,
            &mut view
        );
        self.b2nd.created(code, view)
    }

    /// `b2nd_expand_dims`.
    pub fn expand_dims(&self, places: &[bool]) -> Result<RefArray<'r>, i32> {
        let mut view = null_mut();
        let code = call!(
            self.b2nd,
            "b2nd_expand_dims",
            fn(*const CArray, *mut *mut CArray, *const bool, u8) -> c_int,
            self.array,
            &mut view,
            places.as_ptr(),
            places.len() as u8
        );
        self.b2nd.created(code, view)
    }

    /// The structure that C programs see.
    pub fn c(&self) -> &CArray {
        // SAFETY: the array lives until it is dropped.
        unsafe { &*self.array }
    }

    pub fn shape(&self) -> Vec<i64> {
        self.c().shape[..self.c().ndim as usize].to_vec()
    }

    pub fn dtype(&self) -> Option<Vec<u8>> {
        let dtype = self.c().dtype;
        // SAFETY: a string, when not null.
        (!dtype.is_null()).then(|| unsafe { std::ffi::CStr::from_ptr(dtype) }.to_bytes().to_vec())
    }

    pub fn to_cbuffer(&self, nbytes: usize) -> Result<Vec<u8>, i32> {
        let mut buffer = vec![0xaa; nbytes];
        checked(call!(
            self.b2nd,
            "b2nd_to_cbuffer",
            fn(*const CArray, *mut u8, i64) -> c_int,
            self.array,
            buffer.as_mut_ptr(),
            nbytes as i64
        ))?;
        Ok(buffer)
    }

    pub fn to_cframe(&self) -> Result<Vec<u8>, i32> {
        let (mut frame, mut len, mut needs_free) = (null_mut(), 0i64, false);
        checked(call!(
            self.b2nd,
            "b2nd_to_cframe",
            fn(*const CArray, *mut *mut u8, *mut i64, *mut bool) -> c_int,
            self.array,
            &mut frame,
            &mut len,
            &mut needs_free
        ))?;
        // SAFETY: the library returned `len` bytes.
        let bytes = unsafe { std::slice::from_raw_parts(frame, len as usize) }.to_vec();
        if needs_free {
            // SAFETY: they came from malloc, and are ours now.
            unsafe { libc::free(frame.cast()) };
        }
        Ok(bytes)
    }

    pub fn save(&self, path: &str) -> Result<(), i32> {
        let path = CString::new(path).unwrap();
        checked(call!(
            self.b2nd,
            "b2nd_save",
            fn(*const CArray, *const c_char) -> c_int,
            self.array,
            path.as_ptr()
        ))
    }

    pub fn save_append(&self, path: &str) -> Result<i64, i32> {
        let path = CString::new(path).unwrap();
        let at = call!(
            self.b2nd,
            "b2nd_save_append",
            fn(*const CArray, *const c_char) -> i64,
            self.array,
            path.as_ptr()
        );
        if at < 0 { Err(at as i32) } else { Ok(at) }
    }

    pub fn get_slice(
        &self,
        start: &[i64],
        stop: &[i64],
        buffershape: &[i64],
        buffer: &mut [u8],
    ) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_get_slice_cbuffer",
            fn(*const CArray, *const i64, *const i64, *mut u8, *const i64, i64) -> c_int,
            self.array,
            start.as_ptr(),
            stop.as_ptr(),
            buffer.as_mut_ptr(),
            buffershape.as_ptr(),
            buffer.len() as i64
        ))
    }

    pub fn set_slice(
        &self,
        buffer: &[u8],
        buffershape: &[i64],
        start: &[i64],
        stop: &[i64],
    ) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_set_slice_cbuffer",
            fn(*const u8, *const i64, i64, *const i64, *const i64, *mut CArray) -> c_int,
            buffer.as_ptr(),
            buffershape.as_ptr(),
            buffer.len() as i64,
            start.as_ptr(),
            stop.as_ptr(),
            self.array
        ))
    }

    pub fn resize(&self, shape: &[i64], start: Option<&[i64]>) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_resize",
            fn(*mut CArray, *const i64, *const i64) -> c_int,
            self.array,
            shape.as_ptr(),
            start.map_or(null(), <[i64]>::as_ptr)
        ))
    }

    pub fn insert(&self, buffer: &[u8], axis: i8, at: i64) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_insert",
            fn(*mut CArray, *const u8, i64, i8, i64) -> c_int,
            self.array,
            buffer.as_ptr(),
            buffer.len() as i64,
            axis,
            at
        ))
    }

    pub fn append(&self, buffer: &[u8], axis: i8) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_append",
            fn(*mut CArray, *const u8, i64, i8) -> c_int,
            self.array,
            buffer.as_ptr(),
            buffer.len() as i64,
            axis
        ))
    }

    pub fn delete(&self, axis: i8, at: i64, len: i64) -> Result<(), i32> {
        checked(call!(
            self.b2nd,
            "b2nd_delete",
            fn(*mut CArray, i8, i64, i64) -> c_int,
            self.array,
            axis,
            at,
            len
        ))
    }

    pub fn sparse(&self, coords: &[i64], typesize: usize) -> Result<Vec<u8>, i32> {
        let mut buffer = vec![0u8; coords.len() * typesize];
        checked(call!(
            self.b2nd,
            "b2nd_get_sparse_cbuffer",
            fn(*const CArray, i64, *const i64, *mut u8, i64) -> c_int,
            self.array,
            coords.len() as i64,
            coords.as_ptr(),
            buffer.as_mut_ptr(),
            buffer.len() as i64
        ))?;
        Ok(buffer)
    }

    /// `b2nd_{get,set}_orthogonal_selection`.
    pub fn orthogonal(
        &self,
        set: bool,
        selection: &[Vec<i64>],
        buffer: &mut [u8],
        buffershape: &[i64],
    ) -> Result<(), i32> {
        let lists: Vec<*const i64> = selection.iter().map(|list| list.as_ptr()).collect();
        let sizes: Vec<i64> = selection.iter().map(|list| list.len() as i64).collect();
        let name = if set { "b2nd_set_orthogonal_selection" } else { "b2nd_get_orthogonal_selection" };
        type Orthogonal = unsafe extern "C" fn(
            *mut CArray,
            *const *const i64,
            *const i64,
            *mut u8,
            *const i64,
            i64,
        ) -> c_int;
        // SAFETY: both functions have this signature (the setter's buffer is const).
        checked(unsafe {
            self.b2nd.reference.function::<Orthogonal>(name)(
                self.array,
                lists.as_ptr(),
                sizes.as_ptr(),
                buffer.as_mut_ptr(),
                buffershape.as_ptr(),
                buffer.len() as i64,
            )
        })
    }
}
