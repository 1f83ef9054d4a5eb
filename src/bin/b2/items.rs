//! Reading the items of a frame, slab by slab, so that no more than a part is in memory.

use crate::dtype;
use crate::failure::Failure;
use crate::slice::Axis;
use crate::source::Content;
use blosc2::ndarray::meta::NUMPY_FORMAT;
use npyz::DType;

/// Bytes that are read at once.
const SLAB: usize = 128 << 20;

/// A frame's items.
pub struct Items {
    content: Content,
    dtype: Option<Result<DType, Failure>>,
    itemsize: usize,
}

impl Items {
    /// The items of what was opened; `dtype` says what they are, in place of what the frame says.
    pub fn new(content: Content, given: Option<&str>) -> Result<Items, Failure> {
        let itemsize = usize::try_from(content.schunk().typesize()).unwrap_or(1).max(1);
        let dtype = match (given, &content) {
            (Some(given), _) => Some(Ok(of_size(given, itemsize)?)),
            (None, Content::Array(array)) => {
                array.dtype().filter(|dtype| dtype.format() == NUMPY_FORMAT).map(|dtype| {
                    let text = String::from_utf8_lossy(dtype.text());
                    // An array may have a dtype that only its writer knows: its bytes are there all the same.
                    of_size(&text, itemsize)
                })
            }
            (None, Content::Chunks(_)) => None,
        };
        Ok(Items { content, dtype, itemsize })
    }

    /// What holds them.
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// Bytes per item.
    pub fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// What they are; bytes where nothing says it.
    pub fn dtype(self) -> Result<(Items, DType), Failure> {
        let Items { content, dtype, itemsize } = self;
        let dtype = dtype.unwrap_or_else(|| dtype::parse(&format!("|V{itemsize}")))?;
        Ok((Items { content, dtype: None, itemsize }, dtype))
    }

    /// Items along each dimension; `None` where chunks vary, and there are no items to be numbered.
    pub fn shape(&self) -> Option<Vec<i64>> {
        match &self.content {
            Content::Array(array) => Some(array.shape().to_vec()),
            Content::Chunks(schunk) if schunk.chunksize() == 0 || schunk.has_vl_blocks() => None,
            Content::Chunks(schunk) => Some(vec![schunk.nbytes() / self.itemsize as i64]),
        }
    }

    /// Gives the picked items to `take`, slab by slab, in row-major order.
    pub fn read(
        &self,
        axes: &[Axis],
        take: &mut dyn FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if axes.iter().any(|axis| axis.count == 0) {
            return Ok(());
        }
        let mut buffer = Vec::new();
        self.visit(&mut axes.to_vec(), 0, &mut |axes| {
            let nbytes = count(axes).saturating_mul(self.itemsize as u128);
            let nbytes = usize::try_from(nbytes).map_err(|_| Failure::new("a slab larger than memory"))?;
            buffer.resize(nbytes, 0);
            self.get(axes, &mut buffer)?;
            take(&buffer)
        })
    }

    /// Cuts the picked items into slabs from axis `dim` on.
    fn visit(
        &self,
        axes: &mut Vec<Axis>,
        dim: usize,
        read: &mut dyn FnMut(&[Axis]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let most = (SLAB / self.itemsize).max(1) as u128;
        if dim == axes.len() || count(&axes[dim..]) <= most {
            return read(axes);
        }
        let (axis, inner) = (axes[dim], count(&axes[dim + 1..]));
        // As many as fit, whole chunks of them where possible, or one after the other.
        let fit = i64::try_from(most / inner).unwrap_or(i64::MAX).max(1);
        let chunk = self.chunk_len(dim);
        let mut from = 0;
        while from < axis.count {
            let mut to = from.saturating_add(fit).min(axis.count);
            let end = axis.start + to;
            if axis.step == 1 && to < axis.count && end % chunk < to - from {
                to -= end % chunk;
            }
            axes[dim] = axis.part(from, to);
            self.visit(axes, dim + 1, read).inspect_err(|_| axes[dim] = axis)?;
            from = to;
        }
        axes[dim] = axis;
        Ok(())
    }

    fn chunk_len(&self, dim: usize) -> i64 {
        let len = match &self.content {
            Content::Array(array) => array.layout().chunkshape().get(dim).map_or(1, |&len| i64::from(len)),
            Content::Chunks(schunk) => i64::from(schunk.chunksize()) / self.itemsize as i64,
        };
        len.max(1)
    }

    fn get(&self, axes: &[Axis], buffer: &mut [u8]) -> Result<(), Failure> {
        let plain = axes.iter().all(|axis| axis.step == 1);
        let indexes = || axes.iter().map(Axis::indexes).collect::<Vec<_>>();
        match &self.content {
            Content::Array(array) => {
                let shape: Vec<i64> = axes.iter().map(|axis| axis.count).collect();
                if plain {
                    let start: Vec<i64> = axes.iter().map(|axis| axis.start).collect();
                    let stop: Vec<i64> = axes.iter().map(|axis| axis.start + axis.count).collect();
                    array.get_slice(&start, &stop, buffer, &shape)?;
                } else {
                    let indexes = indexes();
                    let selection: Vec<&[i64]> = indexes.iter().map(Vec::as_slice).collect();
                    array.get_orthogonal(&selection, buffer, &shape)?;
                }
            }
            Content::Chunks(schunk) => match axes {
                [axis] if plain => schunk.get_slice(axis.start, axis.start + axis.count, buffer)?,
                [axis] => schunk.get_sparse(&axis.indexes(), buffer)?,
                _ => return Err(Failure::new("items of a super-chunk have one dimension")),
            },
        }
        Ok(())
    }
}

/// A dtype whose items have that size.
fn of_size(text: &str, itemsize: usize) -> Result<DType, Failure> {
    let dtype = dtype::parse(text)?;
    match dtype.num_bytes() {
        Some(size) if size == itemsize => Ok(dtype),
        size => Err(Failure::new(format!(
            "dtype {}: {} bytes, where items have {itemsize}",
            crate::screen::plain(text),
            size.map_or_else(|| "any number of".into(), |size| size.to_string())
        ))),
    }
}

/// How many items axes pick.
fn count(axes: &[Axis]) -> u128 {
    axes.iter().map(|axis| axis.count.max(0) as u128).fold(1, u128::saturating_mul)
}
