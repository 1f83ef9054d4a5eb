//! Sequences that are items which stand as they are: the same bytes of each differ from the one before it.

use super::decode::{MORE, SHORTEST};
use crate::codec::items;

/// By token: how far back its match begins if it and its literals are an item; 0 if they are none in any case.
const ITEM_OF: [u16; 256] = {
    let mut distances = [0; 256];
    let mut token = 0;
    while token < distances.len() {
        let (literals, len) = (token >> 4, (token & MORE) + SHORTEST);
        if items::are_item(literals, literals + len, len) {
            distances[token] = (literals + len) as u16;
        }
        token += 1;
    }
    distances
};

/// Whether the sequence of a token is an item as [`items::follow`] takes them. One comparison is foreseen, where several that are
/// each often true are not.
#[inline(always)]
pub(super) fn is_item(token: u8, distance: usize) -> bool {
    distance == usize::from(ITEM_OF[usize::from(token)])
}
