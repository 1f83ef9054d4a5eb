//! Thousands of random operations on three arrays at once, ours, the reference library's and a plain row-major one, which
//! have to stay equal.

mod common;

use blosc2::base::CBuf;
use blosc2::base::params::{CParams, FilterSlot};
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::Storage;
use common::Rng;
use common::b2nd::{B2nd, RefArray, Spec};

/// A plain row-major array.
#[derive(Clone)]
struct Plain {
    shape: Vec<i64>,
    itemsize: usize,
    bytes: Vec<u8>,
}

/// Every item of a box, in row-major order.
fn items(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.iter().flat_map(|at| (0..n).map(|i| [&at[..], &[i]].concat())).collect();
    }
    all
}

fn sum(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

impl Plain {
    fn new(shape: &[i64], itemsize: usize) -> Self {
        let n = shape.iter().product::<i64>() as usize * itemsize;
        Plain { shape: shape.to_vec(), itemsize, bytes: vec![0; n] }
    }

    fn random(shape: &[i64], itemsize: usize, rng: &mut Rng) -> Self {
        let mut plain = Plain::new(shape, itemsize);
        let easy = rng.below(3) == 0;
        plain.bytes.iter_mut().for_each(|byte| *byte = if easy { 3 } else { rng.next() as u8 });
        plain
    }

    fn number(&self, at: &[i64]) -> usize {
        at.iter().zip(&self.shape).fold(0, |n, (i, len)| n * len + i) as usize
    }

    fn item(&self, at: &[i64]) -> &[u8] {
        let n = self.number(at) * self.itemsize;
        &self.bytes[n..n + self.itemsize]
    }

    fn set(&mut self, at: &[i64], item: &[u8]) {
        let n = self.number(at) * self.itemsize;
        self.bytes[n..n + self.itemsize].copy_from_slice(item);
    }

    fn slice(&self, start: &[i64], stop: &[i64]) -> Plain {
        let shape: Vec<i64> = start.iter().zip(stop).map(|(a, b)| b - a).collect();
        let mut out = Plain::new(&shape, self.itemsize);
        items(&shape).iter().for_each(|at| out.set(at, self.item(&sum(at, start))));
        out
    }

    fn set_slice(&mut self, start: &[i64], new: &Plain) {
        items(&new.shape).iter().for_each(|at| self.set(&sum(at, start), new.item(at)));
    }

    /// Without `len` items along `axis`.
    fn delete(&self, axis: usize, at: i64, len: i64) -> Plain {
        let mut shape = self.shape.clone();
        shape[axis] -= len;
        let mut out = Plain::new(&shape, self.itemsize);
        for to in items(&shape) {
            let mut from = to.clone();
            from[axis] += if to[axis] >= at { len } else { 0 };
            out.set(&to, self.item(&from));
        }
        out
    }

    /// With the items of another along `axis`.
    fn insert(&self, axis: usize, at: i64, new: &Plain) -> Plain {
        let mut shape = self.shape.clone();
        shape[axis] += new.shape[axis];
        let mut out = Plain::new(&shape, self.itemsize);
        for to in items(&shape) {
            let mut from = to.clone();
            if (at..at + new.shape[axis]).contains(&to[axis]) {
                from[axis] -= at;
                out.set(&to, new.item(&from));
            } else {
                from[axis] -= if to[axis] >= at { new.shape[axis] } else { 0 };
                out.set(&to, self.item(&from));
            }
        }
        out
    }

    fn select(&self, lists: &[Vec<i64>]) -> Plain {
        let shape: Vec<i64> = lists.iter().map(|list| list.len() as i64).collect();
        let mut out = Plain::new(&shape, self.itemsize);
        for to in items(&shape) {
            let from: Vec<i64> = to.iter().zip(lists).map(|(i, list)| list[*i as usize]).collect();
            out.set(&to, self.item(&from));
        }
        out
    }

    fn set_selected(&mut self, lists: &[Vec<i64>], new: &Plain) {
        for from in items(&new.shape) {
            let to: Vec<i64> = from.iter().zip(lists).map(|(i, list)| list[*i as usize]).collect();
            self.set(&to, new.item(&from));
        }
    }
}

/// Three arrays that are to be equal.
struct Three<'r> {
    plain: Plain,
    ours: NdArray,
    theirs: RefArray<'r>,
    spec: Spec,
}

impl<'r> Three<'r> {
    fn new(b2nd: &'r B2nd, rng: &mut Rng, path: Option<&str>) -> Self {
        let ndim = 1 + rng.below(4);
        let largest = [30, 12, 7, 5][ndim - 1];
        let shape: Vec<i64> = (0..ndim).map(|_| 1 + rng.below(largest) as i64).collect();
        let chunk: Vec<i32> = (0..ndim).map(|_| 1 + rng.below(largest / 2 + 2) as i32).collect();
        let block: Vec<i32> = chunk.iter().map(|&c| 1 + rng.below(c as usize + 1) as i32).collect();
        let mut spec = Spec::new(&shape, &chunk, &block, [1, 2, 4, 8, 5][rng.below(5)]);
        spec.cparams.compcode = [0, 1, 5][rng.below(3)];
        spec.cparams.filters[5] = rng.below(3) as u8;
        spec.contiguous = rng.below(2) == 0;
        let itemsize = spec.cparams.typesize as usize;
        let plain = Plain::random(&shape, itemsize, rng);
        let mut cparams = CParams {
            codec: spec.cparams.compcode,
            typesize: spec.cparams.typesize,
            nthreads: 1 + rng.below(3) as i16,
            ..CParams::default()
        };
        cparams.filters[5] = FilterSlot { id: spec.cparams.filters[5], meta: 0 };
        let blueprint = Blueprint {
            storage: Storage {
                contiguous: spec.contiguous,
                urlpath: path.map(|path| format!("{path}-ours").into()),
                cparams,
                ..Storage::default()
            },
            shape,
            chunkshape: chunk,
            blockshape: block,
            ..Blueprint::default()
        };
        let ours = NdArray::from_buffer(&blueprint, &plain.bytes).unwrap();
        spec.urlpath = path.map(|path| format!("{path}-theirs"));
        let theirs = b2nd.from_cbuffer(&spec, &plain.bytes).unwrap();
        Three { plain, ours, theirs, spec }
    }

    fn shape(&self) -> Vec<i64> {
        self.plain.shape.clone()
    }

    fn axis(&self, rng: &mut Rng) -> usize {
        rng.below(self.plain.shape.len())
    }

    /// A random box.
    fn region(&self, rng: &mut Rng) -> (Vec<i64>, Vec<i64>) {
        let stop: Vec<i64> = (self.plain.shape.iter())
            .map(|&n| if rng.below(3) == 0 { n } else { rng.below(n as usize + 1) as i64 })
            .collect();
        let start = stop
            .iter()
            .map(|&n| if rng.below(3) == 0 { 0 } else { rng.below(n as usize + 1) as i64 })
            .collect();
        (start, stop)
    }

    fn random(&self, shape: &[i64], rng: &mut Rng) -> Plain {
        Plain::random(shape, self.plain.itemsize, rng)
    }

    fn step(&mut self, rng: &mut Rng) {
        match rng.below(9) {
            0 => self.get(rng),
            1 | 2 => self.set(rng),
            3 => self.grow(rng),
            4 => self.shrink(rng),
            5 => self.insert(rng),
            6 => self.delete(rng),
            7 => self.select(rng),
            _ => self.sparse(rng),
        }
        self.compare();
    }

    fn compare(&self) {
        assert_eq!(self.ours.shape(), self.plain.shape);
        assert_eq!(self.theirs.shape(), self.plain.shape);
        let mut ours = vec![0xaa; self.plain.bytes.len()];
        self.ours.to_buffer(&mut ours).unwrap();
        assert_eq!(ours, self.plain.bytes);
        assert_eq!(self.theirs.to_cbuffer(ours.len()).unwrap(), ours);
    }

    fn get(&mut self, rng: &mut Rng) {
        let (start, stop) = self.region(rng);
        let want = self.plain.slice(&start, &stop);
        let (mut a, mut b) = (want.bytes.clone(), want.bytes.clone());
        a.fill(1);
        b.fill(2);
        self.ours.get_slice(&start, &stop, &mut a, &want.shape).unwrap();
        self.theirs.get_slice(&start, &stop, &want.shape, &mut b).unwrap();
        assert_eq!(a, want.bytes);
        assert_eq!(b, want.bytes);
    }

    fn set(&mut self, rng: &mut Rng) {
        let (start, stop) = self.region(rng);
        let shape: Vec<i64> = start.iter().zip(&stop).map(|(a, b)| b - a).collect();
        let new = self.random(&shape, rng);
        self.set_all(&start, &stop, &new);
    }

    fn set_all(&mut self, start: &[i64], stop: &[i64], new: &Plain) {
        self.ours.set_slice(&new.bytes, &new.shape, start, stop).unwrap();
        self.theirs.set_slice(&new.bytes, &new.shape, start, stop).unwrap();
        self.plain.set_slice(start, new);
    }

    /// Grows at the end along several axes; what is new may be what a shrink left there, but the same in both.
    fn grow(&mut self, rng: &mut Rng) {
        let old = self.plain.clone();
        if old.bytes.len() > 40_000 {
            return;
        }
        let shape: Vec<i64> = old.shape.iter().map(|&n| n + rng.below(5) as i64).collect();
        self.ours.resize(&shape, None).unwrap();
        self.theirs.resize(&shape, None).unwrap();
        let mut grown = Plain::new(&shape, old.itemsize);
        let theirs = self.theirs.to_cbuffer(grown.bytes.len()).unwrap();
        self.ours.to_buffer(&mut grown.bytes).unwrap();
        assert_eq!(grown.bytes, theirs);
        let zeros = vec![0; shape.len()];
        assert_eq!(grown.slice(&zeros, &old.shape).bytes, old.bytes, "what was there stays");
        self.plain = grown;
    }

    fn shrink(&mut self, rng: &mut Rng) {
        let shape: Vec<i64> = self.plain.shape.iter().map(|&n| (n - rng.below(3) as i64).max(1)).collect();
        self.ours.resize(&shape, None).unwrap();
        self.theirs.resize(&shape, None).unwrap();
        self.plain = self.plain.slice(&vec![0; shape.len()], &shape);
    }

    fn insert(&mut self, rng: &mut Rng) {
        let axis = self.axis(rng);
        let chunk = i64::from(self.spec.chunkshape[axis]);
        let n = self.plain.shape[axis];
        // At the end anything goes; before it, whole chunks.
        let (at, len) = match rng.below(2) {
            0 => (n, 1 + rng.below(5) as i64),
            _ => (chunk * rng.below((n / chunk + 1) as usize) as i64, chunk * (1 + rng.below(2) as i64)),
        };
        if self.plain.bytes.len() > 40_000 {
            return;
        }
        let mut shape = self.shape();
        shape[axis] = len;
        let new = self.random(&shape, rng);
        if at == n && rng.below(2) == 0 {
            self.ours.append(&new.bytes, axis).unwrap();
        } else {
            self.ours.insert(&new.bytes, axis, at).unwrap();
        }
        self.theirs.insert(&new.bytes, axis as i8, at).unwrap();
        self.plain = self.plain.insert(axis, at, &new);
    }

    fn delete(&mut self, rng: &mut Rng) {
        let axis = self.axis(rng);
        let chunk = i64::from(self.spec.chunkshape[axis]);
        let n = self.plain.shape[axis];
        let len = rng.below(n as usize) as i64;
        let (at, len) = match rng.below(2) {
            0 => (n - len, len),
            _ => (chunk * rng.below((n / chunk) as usize) as i64, chunk),
        };
        if at + len > n || len >= n {
            return;
        }
        self.ours.delete(axis, at, len).unwrap();
        self.theirs.delete(axis as i8, at, len).unwrap();
        self.plain = self.plain.delete(axis, at, len);
    }

    fn lists(&self, rng: &mut Rng) -> Vec<Vec<i64>> {
        let list = |&n: &i64| (0..1 + rng.below(6)).map(|_| rng.below(n as usize) as i64).collect();
        self.plain.shape.iter().map(list).collect()
    }

    fn select(&mut self, rng: &mut Rng) {
        let lists = self.lists(rng);
        let refs: Vec<&[i64]> = lists.iter().map(|list| &list[..]).collect();
        let mut want = self.plain.select(&lists);
        if rng.below(2) == 0 {
            let (mut a, mut b) = (want.bytes.clone(), want.bytes.clone());
            a.fill(1);
            b.fill(2);
            self.ours.get_orthogonal(&refs, &mut a, &want.shape).unwrap();
            self.theirs.orthogonal(false, &lists, &mut b, &want.shape).unwrap();
            assert_eq!(a, want.bytes);
            assert_eq!(b, want.bytes);
        } else {
            want.bytes = rng.bytes(want.bytes.len());
            self.ours.set_orthogonal(&refs, &want.bytes, &want.shape).unwrap();
            self.theirs.orthogonal(true, &lists, &mut want.bytes, &want.shape).unwrap();
            self.plain.set_selected(&lists, &want);
        }
    }

    fn sparse(&mut self, rng: &mut Rng) {
        let itemsize = self.plain.itemsize;
        let nitems = self.plain.bytes.len() / itemsize;
        let wanted: Vec<i64> = (0..1 + rng.below(30)).map(|_| rng.below(nitems) as i64).collect();
        let want: Vec<u8> = (wanted.iter())
            .flat_map(|&n| self.plain.bytes[n as usize * itemsize..][..itemsize].to_vec())
            .collect();
        let mut got = vec![1; want.len()];
        self.ours.get_sparse(&wanted, &mut got).unwrap();
        assert_eq!(got, want);
        assert_eq!(self.theirs.sparse(&wanted, itemsize).unwrap(), want);
    }
}

#[test]
fn three_arrays_stay_equal_in_memory() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(42);
    for _ in 0..60 {
        let mut three = Three::new(&b2nd, &mut rng, None);
        for _ in 0..40 {
            three.step(&mut rng);
        }
        // What came of it is read by the other.
        let frame = CBuf::copy_of(&three.theirs.to_cframe().unwrap()).unwrap();
        let mut read = vec![0; three.plain.bytes.len()];
        NdArray::from_cframe(frame).unwrap().to_buffer(&mut read).unwrap();
        assert_eq!(read, three.plain.bytes);
        let back = b2nd.from_cframe(&three.ours.to_cframe().unwrap()).unwrap();
        assert_eq!(back.to_cbuffer(read.len()).unwrap(), read);
    }
}

#[test]
fn three_arrays_stay_equal_on_disk() {
    let Some(b2nd) = B2nd::load() else { return };
    let mut rng = Rng::new(43);
    let dir = std::env::temp_dir().join(format!("blosc2-ndarray-model-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for round in 0..15 {
        let path = dir.join(format!("{round}")).to_str().unwrap().to_owned();
        let mut three = Three::new(&b2nd, &mut rng, Some(&path));
        for _ in 0..30 {
            three.step(&mut rng);
        }
        let Three { plain, ours, theirs, .. } = three;
        drop((ours, theirs));
        let mut read = vec![0; plain.bytes.len()];
        NdArray::open(format!("{path}-theirs")).unwrap().to_buffer(&mut read).unwrap();
        assert_eq!(read, plain.bytes);
        let back = b2nd.open(&format!("{path}-ours")).unwrap();
        assert_eq!(back.to_cbuffer(read.len()).unwrap(), read);
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
