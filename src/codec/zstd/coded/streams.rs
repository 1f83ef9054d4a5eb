//! Codes, in one stream or in four that are read side by side: what one waits for is then no time of the others.

use super::table::Table;

/// Codes that are read of a word, whatever they are: it has 56 bits, and one code was read of it before it was told how many
/// are left.
pub(super) const fn per_word(entries: usize) -> usize {
    56 / entries.ilog2() as usize - 1
}

/// Words of each stream whose symbols are put down at a time where no register has to tell: there are too few for four places.
const ROUNDS: usize = 64;

/// Reads all of one stream, from there to the end.
#[inline(always)]
pub(super) fn one<const N: usize, const K: usize>(
    src: &[u8],
    from: usize,
    table: &Table<N>,
    dst: &mut [u8],
) -> Option<()> {
    let mut one = Stream::new(src, from, src.len())?;
    let (words, end) = dst.as_chunks_mut::<K>();
    for to in words {
        let (last, to) = to.split_last_mut()?;
        to.iter_mut().for_each(|to| *to = one.next(table));
        *last = one.next_and_load(table)?;
    }
    end.iter_mut().for_each(|to| *to = one.next(table));
    one.is_empty().then_some(())
}

/// Reads four streams from there to the end.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // four places by one index
pub(super) fn four<const N: usize, const K: usize>(
    src: &[u8],
    from: usize,
    table: &Table<N>,
    dst: &mut [u8],
) -> Option<()> {
    let [mut one, mut two, mut three, mut four] = Stream::four(src, from)?;
    let [to_one, to_two, to_three, to_four] = quarters(dst)?;
    // The first three have up to three more.
    let [(to_one, more_of_one), (to_two, more_of_two), (to_three, more_of_three)] =
        [to_one, to_two, to_three].map(|to| to.split_at_mut(to_four.len()));
    let (to_one, end_of_one) = to_one.as_chunks_mut::<K>();
    let (to_two, end_of_two) = to_two.as_chunks_mut::<K>();
    let (to_three, end_of_three) = to_three.as_chunks_mut::<K>();
    let (to_four, end_of_four) = to_four.as_chunks_mut::<K>();
    let mut words = [[[0; K]; ROUNDS]; 4];
    let mut done = 0;
    while done < to_four.len() {
        let rounds = ROUNDS.min(to_four.len() - done);
        for at in 0..rounds {
            for k in 0..K - 1 {
                words[0][at][k] = one.next(table);
                words[1][at][k] = two.next(table);
                words[2][at][k] = three.next(table);
                words[3][at][k] = four.next(table);
            }
            words[0][at][K - 1] = one.next_and_load(table)?;
            words[1][at][K - 1] = two.next_and_load(table)?;
            words[2][at][K - 1] = three.next_and_load(table)?;
            words[3][at][K - 1] = four.next_and_load(table)?;
        }
        for (to, words) in [&mut *to_one, to_two, to_three, to_four].into_iter().zip(&words) {
            to[done..][..rounds].copy_from_slice(&words[..rounds]);
        }
        done += rounds;
    }
    for (((to_one, to_two), to_three), to_four) in
        end_of_one.iter_mut().zip(end_of_two).zip(end_of_three).zip(end_of_four)
    {
        *to_one = one.next(table);
        *to_two = two.next(table);
        *to_three = three.next(table);
        *to_four = four.next(table);
    }
    one.load(0)?;
    two.load(0)?;
    three.load(0)?;
    for ((to_one, to_two), to_three) in more_of_one.iter_mut().zip(more_of_two).zip(more_of_three) {
        *to_one = one.next(table);
        *to_two = two.next(table);
        *to_three = three.next(table);
    }
    (one.is_empty() && two.is_empty() && three.is_empty() && four.is_empty()).then_some(())
}

/// What four streams are read to: each but the last is a fourth, rounded up.
#[inline(always)]
fn quarters(dst: &mut [u8]) -> Option<[&mut [u8]; 4]> {
    let part = dst.len().div_ceil(4);
    let (one, rest) = dst.split_at_mut_checked(part)?;
    let (two, rest) = rest.split_at_mut_checked(part)?;
    let (three, four) = rest.split_at_mut_checked(part)?;
    Some([one, two, three, four])
}

/// Bits from the last one on. Words are read that may begin before the stream does.
struct Stream<'a> {
    from: usize,
    /// To the end of the word.
    rest: &'a [u8],
    /// Its next bits, the first highest, and behind them a one.
    word: u64,
}

impl<'a> Stream<'a> {
    /// Those from there to there, before the bit that ends them; `None` without one.
    #[inline(always)]
    fn new(src: &'a [u8], from: usize, to: usize) -> Option<Self> {
        let beyond = 8 - src.get(from..to)?.last()?.checked_ilog2()?;
        let mut stream = Stream { from, rest: &src[..to], word: 1 << beyond };
        stream.load(0)?;
        Some(stream)
    }

    /// Four of them from there to the end, whose lengths come first, but for the last one's.
    #[inline(always)]
    fn four(src: &'a [u8], from: usize) -> Option<[Self; 4]> {
        let &[a, b, c, d, e, f] = src.get(from..)?.first_chunk()?;
        let first = from + 6;
        let second = first + usize::from(u16::from_le_bytes([a, b]));
        let third = second + usize::from(u16::from_le_bytes([c, d]));
        let fourth = third + usize::from(u16::from_le_bytes([e, f]));
        Some([
            Stream::new(src, first, second)?,
            Stream::new(src, second, third)?,
            Stream::new(src, third, fourth)?,
            Stream::new(src, fourth, src.len())?,
        ])
    }

    /// Has 56 bits at hand, less those that are passed over.
    #[inline(always)]
    fn load(&mut self, pass: u32) -> Option<()> {
        let used = self.word.trailing_zeros();
        self.rest = &self.rest[..self.rest.len().checked_sub(used as usize / 8)?];
        let word = u64::from_le_bytes(*self.rest.last_chunk()?);
        self.word = (word | 1).wrapping_shl(used % 8 + pass);
        Some(())
    }

    /// The next symbol.
    #[inline(always)]
    fn next<const N: usize>(&mut self, table: &Table<N>) -> u8 {
        let (symbol, bits) = table.entry(self.word);
        self.word = self.word.wrapping_shl(bits);
        symbol
    }

    /// The next symbol, and then as many bits at hand as before it: they are on their way while it is looked up.
    #[inline(always)]
    fn next_and_load<const N: usize>(&mut self, table: &Table<N>) -> Option<u8> {
        let (symbol, bits) = table.entry(self.word);
        self.load(bits)?;
        Some(symbol)
    }

    /// Whether all of them are read, and no more.
    fn is_empty(&self) -> bool {
        8 * self.rest.len() == 8 * self.from + self.word.trailing_zeros() as usize
    }
}
