//! With which of zstd's parameters a stream is searched, where those of its level take longer, and find no more.

mod first;
mod middle;

use super::c;
use crate::codec::StreamParams;

/// Parameters for a stream at one of zstd's levels; `None` leaves it to what that has.
pub(super) fn parameters(level: i32, p: &StreamParams, src: &[u8]) -> Option<c::ZSTD_parameters> {
    match level {
        first::LEVEL => first::parameters(p, src),
        middle::LEVEL => middle::parameters(p.made_of, src),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::zstd::tests::at;

    #[test]
    fn other_levels_search_as_they_do() {
        for level in [-5, 0, 2, 3, 5, 7, 11, 13, 19, 22] {
            assert!(parameters(level, &at(5), &[7; 1000]).is_none());
        }
        assert!(parameters(middle::LEVEL, &at(5), &[1, 2, 3].repeat(10)).is_some());
    }
}
