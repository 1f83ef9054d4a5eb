//! Arrays that are to be equal, and what is done to all of them.

use crate::common::Rng;
use crate::common::b2nd::{B2nd, RefArray, Spec};
use crate::plain::Plain;
use blosc2::base::params::{CParams, FilterSlot};
use blosc2::ndarray::{Blueprint, NdArray};
use blosc2::schunk::Storage;

/// A storage at a path.
fn at(storage: &Storage, path: Option<&str>) -> Storage {
    Storage { urlpath: path.map(|path| format!("{path}-ours").into()), ..storage.clone() }
}

/// Chunks and blocks for a shape: also larger than it, and blocks that do not divide chunks.
fn cut(shape: &[i64], rng: &mut Rng) -> (Vec<i32>, Vec<i32>) {
    let mut room = 3000;
    let chunk: Vec<i32> = shape
        .iter()
        .map(|&n| {
            let most = usize::min(n as usize * 2 / 3 + 2, if shape.len() > 4 { 2 } else { 20 });
            let chunk = usize::min(1 + rng.below(most), room);
            room = usize::max(room / chunk, 1);
            chunk as i32
        })
        .collect();
    let spare = usize::from(shape.len() < 5);
    let block = chunk.iter().map(|&c| 1 + rng.below(c as usize + spare) as i32).collect();
    (chunk, block)
}

/// A random array: its shape, its items, how it is compressed and kept.
fn describe(rng: &mut Rng) -> (Spec, Blueprint) {
    let ndim = [0, 1, 1, 2, 2, 3, 3, 4, 5, 8, 16][rng.below(11)];
    let largest = [0, 30, 12, 7, 5, 3, 3, 3, 2][usize::min(ndim, 8)];
    let shape: Vec<i64> = (0..ndim)
        // Of many axes, few are longer than 1; some have no items at all.
        .map(|dim| match rng.below(12) {
            0 if ndim < 5 => 0,
            _ if dim >= 9 => 1,
            _ => 1 + rng.below(largest) as i64,
        })
        .collect();
    let (chunkshape, blockshape) = cut(&shape, rng);
    let typesize = [1, 2, 4, 8, 3, 5, 16, 255, 300][rng.below(if ndim > 4 { 4 } else { 9 })];
    let mut spec = Spec::new(&shape, &chunkshape, &blockshape, typesize);
    spec.cparams.compcode = [0, 1, 2, 4, 5][rng.below(5)];
    spec.cparams.clevel = [0, 1, 5, 9][rng.below(4)];
    spec.cparams.filters[5] = rng.below(3) as u8;
    spec.contiguous = rng.below(2) == 0;
    let mut cparams = CParams {
        codec: spec.cparams.compcode,
        clevel: spec.cparams.clevel,
        typesize,
        nthreads: 1 + rng.below(3) as i16,
        ..CParams::default()
    };
    cparams.filters[5] = FilterSlot { id: spec.cparams.filters[5], meta: 0 };
    let storage = Storage { contiguous: spec.contiguous, cparams, ..Storage::default() };
    (spec, Blueprint { storage, shape, chunkshape, blockshape, ..Blueprint::default() })
}

/// Arrays that are to be equal: a plain one, ours from Rust, and those of libraries, ours among them.
pub struct Fleet<'r> {
    pub plain: Plain,
    pub ours: NdArray,
    pub others: Vec<(&'r B2nd, RefArray<'r>)>,
    blueprint: Blueprint,
    spec: Spec,
}

impl<'r> Fleet<'r> {
    pub fn new(libraries: &'r [B2nd], rng: &mut Rng, path: Option<&str>) -> Self {
        let (mut spec, blueprint) = describe(rng);
        let plain = Plain::random(&spec.shape, spec.cparams.typesize as usize, rng);
        let own = Blueprint { storage: at(&blueprint.storage, path), ..blueprint.clone() };
        let ours = NdArray::from_buffer(&own, &plain.bytes).unwrap();
        let others = (libraries.iter().enumerate())
            .map(|(n, library)| {
                spec.urlpath = path.map(|path| format!("{path}-{n}"));
                (library, library.from_cbuffer(&spec, &plain.bytes).unwrap())
            })
            .collect();
        spec.urlpath = None;
        Fleet { plain, ours, others, blueprint, spec }
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

    pub fn step(&mut self, rng: &mut Rng) {
        let is_empty = self.plain.bytes.is_empty();
        match rng.below(12) {
            0 => self.get(rng),
            1 | 2 => self.set(rng),
            3 => self.grow(rng),
            4 => self.shrink(rng),
            5 => self.slice(rng),
            6 => self.views(rng),
            7 if !is_empty => self.insert(rng),
            8 if !is_empty => self.delete(rng),
            9 if !is_empty => self.select(rng),
            10 if !is_empty && !self.plain.shape.is_empty() => self.sparse(rng),
            _ if !is_empty => self.concatenate(rng),
            _ => {}
        }
        self.compare();
    }

    pub fn compare(&self) {
        assert_eq!(self.ours.shape(), self.plain.shape);
        for (_, other) in &self.others {
            assert_eq!(other.shape(), self.plain.shape);
        }
        let mut ours = vec![0xaa; self.plain.bytes.len()];
        self.ours.to_buffer(&mut ours).unwrap();
        assert_eq!(ours, self.plain.bytes);
        for (_, other) in &self.others {
            assert_eq!(other.to_cbuffer(ours.len()).unwrap(), ours);
        }
    }

    fn get(&mut self, rng: &mut Rng) {
        let (start, stop) = self.region(rng);
        let want = self.plain.slice(&start, &stop);
        let mut got = vec![1; want.bytes.len()];
        self.ours.get_slice(&start, &stop, &mut got, &want.shape).unwrap();
        assert_eq!(got, want.bytes);
        for (_, other) in &self.others {
            got.fill(2);
            other.get_slice(&start, &stop, &want.shape, &mut got).unwrap();
            assert_eq!(got, want.bytes);
        }
    }

    fn set(&mut self, rng: &mut Rng) {
        let (start, stop) = self.region(rng);
        let shape: Vec<i64> = start.iter().zip(&stop).map(|(a, b)| b - a).collect();
        let new = self.random(&shape, rng);
        self.set_all(&start, &stop, &new);
    }

    fn set_all(&mut self, start: &[i64], stop: &[i64], new: &Plain) {
        self.ours.set_slice(&new.bytes, &new.shape, start, stop).unwrap();
        self.others
            .iter()
            .for_each(|(_, other)| other.set_slice(&new.bytes, &new.shape, start, stop).unwrap());
        self.plain.set_slice(start, new);
    }

    /// Grows at the end along several axes; what is new may be what a shrink left there, but the same in both.
    fn grow(&mut self, rng: &mut Rng) {
        let old = self.plain.clone();
        let axes = old.shape.len();
        // Of many axes, a few grow.
        let more = |rng: &mut Rng| if rng.below(axes) < 3 { rng.below(5) as i64 } else { 0 };
        let shape: Vec<i64> = old.shape.iter().map(|&n| n + more(rng)).collect();
        if shape.iter().product::<i64>() as usize * old.itemsize > 40_000 {
            return;
        }
        self.ours.resize(&shape, None).unwrap();
        self.others.iter().for_each(|(_, other)| other.resize(&shape, None).unwrap());
        let mut grown = Plain::new(&shape, old.itemsize);
        self.ours.to_buffer(&mut grown.bytes).unwrap();
        let zeros = vec![0; shape.len()];
        assert_eq!(grown.slice(&zeros, &old.shape).bytes, old.bytes, "what was there stays");
        self.plain = grown;
    }

    fn shrink(&mut self, rng: &mut Rng) {
        let shape: Vec<i64> =
            self.plain.shape.iter().map(|&n| (n - rng.below(3) as i64).max(n.min(1))).collect();
        self.ours.resize(&shape, None).unwrap();
        self.others.iter().for_each(|(_, other)| other.resize(&shape, None).unwrap());
        self.plain = self.plain.slice(&vec![0; shape.len()], &shape);
    }

    fn insert(&mut self, rng: &mut Rng) {
        if self.plain.shape.is_empty() {
            return;
        }
        let axis = self.axis(rng);
        let chunk = i64::from(self.spec.chunkshape[axis]);
        let n = self.plain.shape[axis];
        // At the end anything goes; before it, whole chunks.
        let (at, len) = match rng.below(2) {
            0 => (n, 1 + rng.below(5) as i64),
            _ => (chunk * rng.below((n / chunk + 1) as usize) as i64, chunk * (1 + rng.below(2) as i64)),
        };
        let grown = self.plain.bytes.len() / usize::max(n as usize, 1) * (n + len) as usize;
        if grown > 40_000 {
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
        self.others.iter().for_each(|(_, other)| other.insert(&new.bytes, axis as i8, at).unwrap());
        self.plain = self.plain.insert(axis, at, &new);
    }

    fn delete(&mut self, rng: &mut Rng) {
        if self.plain.shape.is_empty() {
            return;
        }
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
        self.others.iter().for_each(|(_, other)| other.delete(axis as i8, at, len).unwrap());
        self.plain = self.plain.delete(axis, at, len);
    }

    /// A new array of a slice, cut into other chunks.
    fn slice(&mut self, rng: &mut Rng) {
        let (start, stop) = self.region(rng);
        let want = self.plain.slice(&start, &stop);
        let (spec, blueprint) = self.recut(rng);
        let mut got = vec![1; want.bytes.len()];
        self.ours.slice(&start, &stop, &blueprint).unwrap().to_buffer(&mut got).unwrap();
        assert_eq!(got, want.bytes);
        for (library, other) in &self.others {
            let new = library.slice(&spec, other, &start, &stop).unwrap();
            assert_eq!(new.shape(), want.shape);
            assert_eq!(new.to_cbuffer(got.len()).unwrap(), want.bytes);
        }
    }

    /// A copy, and a copy with another array at the end of an axis.
    fn concatenate(&mut self, rng: &mut Rng) {
        let (spec, blueprint) = self.recut(rng);
        let mut got = vec![1; self.plain.bytes.len()];
        let mut copy = self.ours.copy(&blueprint).unwrap();
        copy.to_buffer(&mut got).unwrap();
        assert_eq!(got, self.plain.bytes);
        if self.plain.shape.is_empty() {
            return;
        }
        let axis = self.axis(rng);
        let mut shape = self.shape();
        shape[axis] = 1 + rng.below(4) as i64;
        let more = self.random(&shape, rng);
        let want = self.plain.insert(axis, self.plain.shape[axis], &more);
        let second =
            NdArray::from_buffer(&Blueprint { shape: shape.clone(), ..blueprint }, &more.bytes).unwrap();
        copy.extend(axis, &second).unwrap();
        got.resize(want.bytes.len(), 1);
        copy.to_buffer(&mut got).unwrap();
        assert_eq!(got, want.bytes);
        for (library, other) in &self.others {
            let second =
                library.from_cbuffer(&Spec { shape: shape.clone(), ..spec.clone() }, &more.bytes).unwrap();
            let both = library.concatenate(&spec, other, &second, axis as i8).unwrap();
            assert_eq!(both.to_cbuffer(got.len()).unwrap(), want.bytes);
        }
    }

    /// What the array looks like without its axes of length 1, and with one more.
    fn views(&mut self, rng: &mut Rng) {
        let mut places = vec![false; self.plain.shape.len()];
        if places.len() == 16 {
            return;
        }
        places.insert(rng.below(places.len() + 1), true);
        let want: Vec<i64> = (self.plain.shape.iter().copied()).filter(|&n| n != 1).collect();
        // Chunks longer than their axis hide items between those of the view.
        let mut chunks = self.plain.shape.iter().zip(&self.spec.chunkshape);
        let flat = chunks.all(|(&n, &chunk)| n != 1 || chunk == 1);
        for (_, other) in &self.others {
            let high = other.expand_dims(&places).unwrap();
            assert_eq!(high.to_cbuffer(self.plain.bytes.len()).unwrap(), self.plain.bytes);
            if flat {
                let low = high.squeeze().unwrap();
                assert_eq!(low.shape(), want);
                assert_eq!(low.to_cbuffer(self.plain.bytes.len()).unwrap(), self.plain.bytes);
            }
        }
    }

    /// Other chunks and blocks, and another place.
    fn recut(&self, rng: &mut Rng) -> (Spec, Blueprint) {
        let mut spec = self.spec.clone();
        (spec.chunkshape, spec.blockshape) = cut(&self.plain.shape, rng);
        spec.contiguous = rng.below(2) == 0;
        let blueprint = Blueprint {
            chunkshape: spec.chunkshape.clone(),
            blockshape: spec.blockshape.clone(),
            storage: Storage { contiguous: spec.contiguous, ..self.blueprint.storage.clone() },
            ..self.blueprint.clone()
        };
        (spec, blueprint)
    }

    fn lists(&self, rng: &mut Rng) -> Vec<Vec<i64>> {
        // Lists multiply.
        let most = [6, 3, 2, 1][usize::min(self.plain.shape.len() / 5, 3)];
        let list = |&n: &i64| (0..1 + rng.below(most)).map(|_| rng.below(n as usize) as i64).collect();
        self.plain.shape.iter().map(list).collect()
    }

    fn select(&mut self, rng: &mut Rng) {
        if self.plain.shape.is_empty() {
            return;
        }
        let lists = self.lists(rng);
        let refs: Vec<&[i64]> = lists.iter().map(|list| &list[..]).collect();
        let mut want = self.plain.select(&lists);
        if rng.below(2) == 0 {
            let mut got = vec![1; want.bytes.len()];
            self.ours.get_orthogonal(&refs, &mut got, &want.shape).unwrap();
            assert_eq!(got, want.bytes);
            for (_, other) in &self.others {
                got.fill(2);
                other.orthogonal(false, &lists, &mut got, &want.shape).unwrap();
                assert_eq!(got, want.bytes);
            }
        } else {
            want.bytes = rng.bytes(want.bytes.len());
            self.ours.set_orthogonal(&refs, &want.bytes, &want.shape).unwrap();
            self.others
                .iter()
                .for_each(|(_, other)| other.orthogonal(true, &lists, &mut want.bytes, &want.shape).unwrap());
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
        for (_, other) in &self.others {
            assert_eq!(other.sparse(&wanted, itemsize).unwrap(), want);
        }
    }
}
