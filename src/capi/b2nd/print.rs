//! What an array is, told on standard output.

use super::handle::Array;
use crate::base::Result;
use crate::capi::guard::guard;
use crate::capi::types::b2nd_array_t;
use crate::ndarray::{NdMeta, open};
use libc::{c_char, c_int};
use std::fmt::Display;

/// Prints the shapes and the dtype of an array to standard output.
///
/// @param array The array.
/// @return 0; #BLOSC2_ERROR_NULL_POINTER; #BLOSC2_ERROR_METALAYER_NOT_FOUND; #BLOSC2_ERROR_FAILURE when the metalayer
///   makes no sense.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn b2nd_print_meta(array: *const b2nd_array_t) -> c_int {
    guard("b2nd_print_meta", || {
        // SAFETY: the caller gives a live array, or NULL.
        let array = unsafe { Array::of(array) }?;
        let text = array.reading(|schunk, layout| {
            let dtype = open::read_meta(schunk)?.dtype().cloned();
            Ok(describe(&NdMeta::of(layout, dtype.as_ref())))
        })?;
        print(&text)
    })
}

/// The text, in the lines and the order of the C library.
fn describe(meta: &NdMeta) -> Vec<u8> {
    let head = format!(
        "b2nd metalayer parameters:\n Ndim:       {}\n shape:      {}\n chunkshape: {}",
        meta.shape().len(),
        list(meta.shape()),
        list(meta.chunkshape()),
    );
    let mut text = head.into_bytes();
    if let Some(dtype) = meta.dtype() {
        text.extend_from_slice(b"\n dtype: ");
        text.extend_from_slice(dtype.text());
    }
    text.extend_from_slice(format!("\n blockshape: {}\n", list(meta.blockshape())).as_bytes());
    text
}

fn list<T: Display>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(T::to_string).collect();
    words.join(", ")
}

/// Through C's stdio, so that it comes in order with what the program prints.
fn print(text: &[u8]) -> Result<c_int> {
    let len = c_int::try_from(text.len()).unwrap_or(c_int::MAX);
    // SAFETY: the format takes as many bytes as it is told, and there are as many.
    let printed = unsafe { libc::printf(c"%.*s".as_ptr(), len, text.as_ptr().cast::<c_char>()) };
    if printed < 0 {
        crate::fail!(Failure, "standard output takes nothing");
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndarray::Dtype;

    #[test]
    fn the_text_is_that_of_the_c_library() {
        let dtype = Some(Dtype::new("<f8", 0).unwrap());
        let meta = NdMeta::new(&[10, 20], &[5, 7], &[2, 3], dtype).unwrap();
        let want = "b2nd metalayer parameters:\n Ndim:       2\n shape:      10, 20\n chunkshape: 5, 7\n \
                    dtype: <f8\n blockshape: 2, 3\n";
        assert_eq!(String::from_utf8(describe(&meta)).unwrap(), want);
    }
}
