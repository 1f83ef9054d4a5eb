use super::*;

fn slots(filters: &[(u8, u8)]) -> FilterSlots {
    let mut slots = FilterSlots::default();
    for (slot, &(id, meta)) in slots.iter_mut().rev().zip(filters.iter().rev()) {
        *slot = FilterSlot { id, meta };
    }
    slots
}

fn data(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i / 7 + i) as u8).collect()
}

#[test]
fn every_order_of_lossless_filters_comes_back() {
    let nd = NdShape { shape: vec![], chunkshape: vec![], blockshape: vec![8, 15] };
    let ids = [(0, 0), (SHUFFLE, 0), (SHUFFLE, 3), (BITSHUFFLE, 0), (DELTA, 0), (BYTEDELTA, 4), (NDCELL, 3)];
    let (src, block0) = (data(480), data(500)[20..].to_vec());
    let mut scratch = Scratch::default();
    for a in ids {
        for b in ids {
            for c in ids {
                for offset in [0, 480] {
                    let slots = slots(&[a, b, c]);
                    let ctx =
                        BlockCtx { offset, reference: Some(&block0), nd: Some(&nd), ..BlockCtx::new(4) };
                    let there = forward(&slots, &ctx, &src, &mut scratch).unwrap().to_vec();
                    let mut back = vec![0; src.len()];
                    backward(&slots, &ctx, &there, &mut scratch.between, &mut back).unwrap();
                    assert_eq!(back, src, "{a:?} {b:?} {c:?} at {offset}");
                    let mut inside = there;
                    backward_in_place(&slots, &ctx, &mut scratch, &mut inside).unwrap();
                    assert_eq!(inside, src, "{a:?} {b:?} {c:?} at {offset}, in place");
                }
            }
        }
    }
}

#[test]
fn filters_run_first_to_last() {
    let src = data(64);
    let mut scratch = Scratch::default();
    let mut expected = vec![0; 64];
    shuffle::shuffle(8, &src, &mut expected);
    let mut delta = vec![0; 64];
    bytedelta::forward(Flavor::Current, 8, &expected, &mut delta);
    let slots = slots(&[(SHUFFLE, 0), (BYTEDELTA, 8)]);
    assert_eq!(forward(&slots, &BlockCtx::new(8), &src, &mut scratch).unwrap(), delta);
}

#[test]
fn what_nothing_applies_to_is_not_copied() {
    let src = data(64);
    let mut scratch = Scratch::default();
    for slots in [slots(&[]), slots(&[(SHUFFLE, 0)]), slots(&[(SHUFFLE, 1)])] {
        let out = forward(&slots, &BlockCtx::new(1), &src, &mut scratch).unwrap();
        assert_eq!(out.as_ptr(), src.as_ptr());
        assert!(is_in_place(&slots, 1));
    }
    assert!(is_in_place(&slots(&[(TRUNC_PREC, 3), (DELTA, 0)]), 8));
    assert!(!is_in_place(&slots(&[(SHUFFLE, 2)]), 1));
    assert!(!is_in_place(&slots(&[(BITSHUFFLE, 0)]), 1));
}

#[test]
fn unknown_and_refusing_filters_have_the_codes_of_the_c_library() {
    let mut scratch = Scratch::default();
    let mut out = [0; 8];
    for (slot, there, back) in [
        ((17, 0), ErrorKind::FilterPipeline, ErrorKind::Failure),
        ((100, 0), ErrorKind::FilterPipeline, ErrorKind::FilterPipeline),
        ((250, 0), ErrorKind::FilterPipeline, ErrorKind::FilterPipeline),
        ((NDCELL, 2), ErrorKind::FilterPipeline, ErrorKind::Failure),
        ((NDMEAN, 2), ErrorKind::FilterPipeline, ErrorKind::Failure),
        ((BYTEDELTA, 0), ErrorKind::FilterPipeline, ErrorKind::Failure),
        ((BYTEDELTA_OLD, 0), ErrorKind::FilterPipeline, ErrorKind::Failure),
    ] {
        let slots = slots(&[slot]);
        let ctx = BlockCtx::new(4);
        assert_eq!(forward(&slots, &ctx, &[0; 8], &mut scratch).unwrap_err().kind(), there, "{slot:?}");
        assert_eq!(backward(&slots, &ctx, &[0; 8], &mut scratch.between, &mut out).unwrap_err().kind(), back);
    }
    for (typesize, slot) in [(2, (TRUNC_PREC, 3)), (4, (TRUNC_PREC, 24)), (3, (INT_TRUNC, 3))] {
        let slots = slots(&[slot]);
        let ctx = BlockCtx::new(typesize);
        assert!(forward(&slots, &ctx, &[0; 8], &mut scratch).is_err());
        assert!(backward(&slots, &ctx, &[0; 8], &mut scratch.between, &mut out).is_ok(), "nothing to undo");
    }
}

#[test]
fn delta_needs_block_0_and_takes_it_as_it_will_be_decoded() {
    let mut scratch = Scratch::default();
    let lossy = slots(&[(TRUNC_PREC, 8), (DELTA, 0), (SHUFFLE, 0)]);
    let ctx = BlockCtx { offset: 64, ..BlockCtx::new(4) };
    assert!(forward(&lossy, &ctx, &data(64), &mut scratch).is_err());

    let block0 = data(64);
    let reference = delta_reference(&lossy, &ctx, &block0, &mut scratch).unwrap();
    let mut truncated = vec![0; 64];
    mantissa::forward(4, 8, &block0, &mut truncated).unwrap();
    assert_eq!(*reference, truncated);
    let ctx = BlockCtx { reference: Some(&reference), ..ctx };
    let there = forward(&lossy, &ctx, &block0, &mut scratch).unwrap().to_vec();
    assert!(there.iter().all(|&b| b == 0), "a block equal to block 0 leaves nothing");

    let lossless = slots(&[(DELTA, 0)]);
    assert!(matches!(delta_reference(&lossless, &ctx, &block0, &mut scratch), Ok(Cow::Borrowed(_))));
}

/// Adds the parameter, and the length of an item, to every byte; refuses blocks that begin at its token.
struct Adds;

impl UserFilter for Adds {
    fn forward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
        if call.offset == call.token {
            fail!(Data, "a block at {}", call.offset);
        }
        let sum = call.meta.wrapping_add(call.typesize as u8);
        output.iter_mut().zip(input).for_each(|(out, byte)| *out = byte.wrapping_add(sum));
        Ok(())
    }

    fn backward(&self, call: &UserCall, input: &[u8], output: &mut [u8]) -> Result<()> {
        let meta =
            call.meta.wrapping_add(call.typesize as u8).wrapping_neg().wrapping_sub(call.typesize as u8);
        self.forward(&UserCall { meta, ..*call }, input, output)
    }
}

#[test]
fn users_filters_are_called_between_ours() {
    register(210, Some("adds"), std::sync::Arc::new(Adds)).unwrap();
    let mut scratch = Scratch::default();
    let src = data(100);
    let slots = slots(&[(SHUFFLE, 0), (210, 5), (SHUFFLE, 0)]);
    let ctx = BlockCtx { token: 77, ..BlockCtx::new(4) };
    let there = forward(&slots, &ctx, &src, &mut scratch).unwrap().to_vec();
    let mut expected = [vec![0; 100], vec![0; 100]];
    shuffle::shuffle(4, &src, &mut expected[0]);
    expected[0].iter_mut().for_each(|byte| *byte = byte.wrapping_add(9));
    let [first, second] = &mut expected;
    shuffle::shuffle(4, first, second);
    assert_eq!(there, *second);
    let mut back = vec![0; 100];
    backward(&slots, &ctx, &there, &mut scratch.between, &mut back).unwrap();
    assert_eq!(back, src);

    // Its error is the pipeline's when compressing, and its own when decompressing.
    let ctx = BlockCtx { token: 0, ..ctx };
    assert_eq!(forward(&slots, &ctx, &src, &mut scratch).unwrap_err().kind(), ErrorKind::FilterPipeline);
    assert_eq!(
        backward(&slots, &ctx, &there, &mut scratch.between, &mut back).unwrap_err().kind(),
        ErrorKind::Data
    );
}
