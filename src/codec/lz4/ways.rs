//! How sequences are taken. It makes no difference but to how long that takes.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // the plain loop tells fewer ways apart

use crate::codec::copy::Mostly;

/// How sequences are taken: what is decided for a stream, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// [`Bytes`].
    Bytes,
    /// [`Planes`].
    Planes,
    /// [`Far`].
    Far,
    /// [`PerhapsItems`].
    PerhapsItems,
    /// [`Items`].
    Items,
}

/// A way that a loop is made for.
pub(super) trait Manner {
    /// From where short matches mostly come.
    const FROM: Mostly;
    /// Whether it is looked out for items.
    const ITEMS: bool = false;
    /// Whether no byte is read behind those of a short match.
    const EVENLY: bool = false;
}

/// Those of bytes, or of anything of which no more is known.
pub(super) struct Bytes;

impl Manner for Bytes {
    const FROM: Mostly = Mostly::Anywhere;
}

/// Matches mostly begin near, in what was written a moment ago.
pub(super) struct Planes;

impl Manner for Planes {
    const FROM: Mostly = Mostly::Near;
}

/// Matches mostly begin far back, and many are longer than others by so little that nobody foresees it.
pub(super) struct Far;

impl Manner for Far {
    const FROM: Mostly = Mostly::Far;
}

/// It is looked out for items.
pub(super) struct PerhapsItems;

impl Manner for PerhapsItems {
    const FROM: Mostly = Mostly::Anywhere;
    const ITEMS: bool = true;
}

/// Many are items, or long literals and a part of one: of what is written just before, no byte is read but those that are told.
pub(super) struct Items;

impl Manner for Items {
    const FROM: Mostly = Mostly::Anywhere;
    const ITEMS: bool = true;
    const EVENLY: bool = true;
}
