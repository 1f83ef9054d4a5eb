//! Arrays as simple as can be: all items in row-major order.

use crate::common::Rng;

/// A plain row-major array.
#[derive(Clone)]
pub struct Plain {
    pub shape: Vec<i64>,
    pub itemsize: usize,
    pub bytes: Vec<u8>,
}

/// Every item of a box, in row-major order.
pub fn items(shape: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for &n in shape {
        all = all.iter().flat_map(|at| (0..n).map(|i| [&at[..], &[i]].concat())).collect();
    }
    all
}

pub fn sum(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

impl Plain {
    pub fn new(shape: &[i64], itemsize: usize) -> Self {
        let n = shape.iter().product::<i64>() as usize * itemsize;
        Plain { shape: shape.to_vec(), itemsize, bytes: vec![0; n] }
    }

    pub fn random(shape: &[i64], itemsize: usize, rng: &mut Rng) -> Self {
        let mut plain = Plain::new(shape, itemsize);
        let easy = rng.below(3) == 0;
        plain.bytes.iter_mut().for_each(|byte| *byte = if easy { 3 } else { rng.next() as u8 });
        plain
    }

    pub fn number(&self, at: &[i64]) -> usize {
        at.iter().zip(&self.shape).fold(0, |n, (i, len)| n * len + i) as usize
    }

    pub fn item(&self, at: &[i64]) -> &[u8] {
        let n = self.number(at) * self.itemsize;
        &self.bytes[n..n + self.itemsize]
    }

    pub fn set(&mut self, at: &[i64], item: &[u8]) {
        let n = self.number(at) * self.itemsize;
        self.bytes[n..n + self.itemsize].copy_from_slice(item);
    }

    pub fn slice(&self, start: &[i64], stop: &[i64]) -> Plain {
        let shape: Vec<i64> = start.iter().zip(stop).map(|(a, b)| b - a).collect();
        let mut out = Plain::new(&shape, self.itemsize);
        items(&shape).iter().for_each(|at| out.set(at, self.item(&sum(at, start))));
        out
    }

    pub fn set_slice(&mut self, start: &[i64], new: &Plain) {
        items(&new.shape).iter().for_each(|at| self.set(&sum(at, start), new.item(at)));
    }

    /// Without `len` items along `axis`.
    pub fn delete(&self, axis: usize, at: i64, len: i64) -> Plain {
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
    pub fn insert(&self, axis: usize, at: i64, new: &Plain) -> Plain {
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

    pub fn select(&self, lists: &[Vec<i64>]) -> Plain {
        let shape: Vec<i64> = lists.iter().map(|list| list.len() as i64).collect();
        let mut out = Plain::new(&shape, self.itemsize);
        for to in items(&shape) {
            let from: Vec<i64> = to.iter().zip(lists).map(|(i, list)| list[*i as usize]).collect();
            out.set(&to, self.item(&from));
        }
        out
    }

    pub fn set_selected(&mut self, lists: &[Vec<i64>], new: &Plain) {
        for from in items(&new.shape) {
            let to: Vec<i64> = from.iter().zip(lists).map(|(i, list)| list[*i as usize]).collect();
            self.set(&to, new.item(&from));
        }
    }
}
