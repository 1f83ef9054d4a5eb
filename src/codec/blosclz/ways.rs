//! What matches of a stream are like, for the loops that take operations.

/// What a loop is made for.
pub(super) trait Way {
    /// Matches mostly begin in what was written a moment ago, and reach into what they repeat.
    const NEAR: bool = false;
    /// Items, of sizes at which it pays to look out for those that are alike.
    const ITEMS: bool = false;
    /// Whether a match is long can be foreseen. Where it cannot, it is not asked.
    const FORESEEN: bool = false;
}

/// Planes of bytes, of items that were shuffled.
pub(super) struct Planes;

impl Way for Planes {
    const NEAR: bool = true;
}

/// Bytes of any kind.
pub(super) struct Bytes;

impl Way for Bytes {}

/// Items.
pub(super) struct Items;

impl Way for Items {
    const ITEMS: bool = true;
}

/// Numbers, of which many stood before, and items.
pub(super) struct Numbers;

impl Way for Numbers {
    const ITEMS: bool = true;
    const FORESEEN: bool = true;
}
