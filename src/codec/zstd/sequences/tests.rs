//! Distances as the format has them.

use super::*;

#[test]
fn distances_are_remembered_as_the_format_says() {
    // RFC 8878, 3.1.1.5: offsets, literals before them, and what is known then.
    let mut distances = Distances::FIRST;
    for (offset, literals, then) in [
        (1103, 1, [1100, 1, 4]),
        (1, 1, [1100, 1, 4]),
        (2225, 2, [2222, 1100, 1]),
        (1114, 1, [1111, 2222, 1100]),
        (1, 0, [2222, 1111, 1100]),
        (3, 2, [1100, 2222, 1111]),
        (2, 0, [1111, 1100, 2222]),
        (3, 0, [1110, 1111, 1100]),
        (2, 5, [1111, 1110, 1100]),
    ] {
        let mut same = Distances(distances.0);
        assert_eq!((same.tell(then[0], literals), same.0), (offset, then));
        assert_eq!(distances.take(offset, literals), then[0]);
        assert_eq!(distances.0, then);
    }
}
