//! Symbols and codes as RFC 1951 has them.

use super::*;

/// The shortest length of each symbol, and the least distance: the tables of 3.2.5.
const LENGTHS_FROM: [usize; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
];
const DISTANCES_FROM: [usize; 30] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
];

#[test]
fn symbols_are_those_of_the_document() {
    for len in SHORTEST..=LONGEST {
        let (symbol, extra) = of_length(len);
        let plain = LENGTHS_FROM.iter().rposition(|from| *from <= len).unwrap();
        assert_eq!((symbol, extra.bits as usize), (257 + plain, len - LENGTHS_FROM[plain]), "{len}");
        assert_eq!(extra.count, extra_of(symbol));
        assert!(extra.bits >> extra.count == 0);
    }
    for distance in 1..=1 << 15 {
        let (symbol, extra) = of_distance(distance);
        let plain = DISTANCES_FROM.iter().rposition(|from| *from <= distance).unwrap();
        assert_eq!((symbol, extra.bits as usize), (plain, distance - DISTANCES_FROM[plain]), "{distance}");
        assert_eq!(extra.count, extra_of_distance(symbol));
        assert!(extra.bits >> extra.count == 0);
    }
}

#[test]
fn fixed_codes_are_those_of_the_document() {
    let is = |code: Code, bits: u32, count: u32| {
        assert_eq!((code.bits.reverse_bits() >> (32 - code.count), code.count), (bits, count));
    };
    for byte in 0..=u8::MAX {
        let symbol = u32::from(byte);
        if byte < 144 {
            is(FIXED.byte(byte), 0x30 + symbol, 8)
        } else {
            is(FIXED.byte(byte), 0x190 + symbol - 144, 9)
        }
    }
    is(FIXED.end, 0, 7);
    is(FIXED.length(3), 1, 7);
    is(FIXED.length(258), 0xc5, 8);
    // Extra bits stand behind the code, lowest first.
    let code = FIXED.length(12);
    assert_eq!((code.bits, code.count), (1 << 7 | 0b100_1000, 8));
    is(FIXED.distance(1), 0, 5);
    let code = FIXED.distance(24577 + 5);
    assert_eq!((code.bits, code.count), (5 << 5 | 0b10111, 18));
}

#[test]
fn codes_are_those_of_the_documents_example() {
    // 3.2.2: lengths of A to H.
    let codes: [Code; 8] = canonical(&[3, 3, 3, 3, 3, 2, 4, 4]);
    let plain = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
    for (code, plain) in codes.iter().zip(plain) {
        assert_eq!(code.bits.reverse_bits() >> (32 - code.count), plain);
    }
}
