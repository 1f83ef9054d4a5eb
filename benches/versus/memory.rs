//! How much memory a case takes at most: a child of this process does the work once, and the kernel knows.
//!
//! To be asked before anything is timed: what earlier cases leave in the allocator's lists is there for some and not for others.

use crate::blosc::Blosc;
use crate::measure::Case;
use std::fs;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;

/// Seconds that a child gets: the C library's, now and then, wait for threads that only their parent has.
const PATIENCE: u32 = 10;

/// Takes the file at `path`, a library that is not loaded yet, out of the kernel's cache. One that was written a moment ago is in
/// there in large pieces, which are mapped whole: a child then has up to 0.4 MB of it more than any program has later.
pub fn forget(path: &Path) {
    if let Ok(file) = fs::File::open(path)
        && file.sync_all().is_ok()
    {
        // SAFETY: an open file; what is asked for is all of it, and only advice.
        unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
    }
}

/// Looks at what a case takes where one look finds ours heavier, and the middle one counts: whether a second thread comes before the
/// first is done with all is chance.
const LOOKS: usize = 5;

/// The most that `case` takes on each side, if it is one that can be done more than once.
pub fn peaks(case: &Case, sides: [&'static Blosc; 2]) -> Option<[u64; 2]> {
    if case.once {
        return None;
    }
    let look = || Some([peak(case, sides[0])?, peak(case, sides[1])?]);
    let first = look()?;
    if first[0] <= first[1] {
        return Some(first);
    }
    let looks: Vec<_> = (1..LOOKS).filter_map(|_| look()).chain([first]).collect();
    Some([0, 1].map(|side| middle(looks.iter().map(|look| look[side]).collect())))
}

fn middle(mut peaks: Vec<u64>) -> u64 {
    peaks.sort_unstable();
    peaks[peaks.len() / 2]
}

/// Bytes by which the child's memory grows while `case` is made ready and runs, the data left out, which is there before.
/// `None` where the system does not tell.
fn peak(case: &Case, blosc: &'static Blosc) -> Option<u64> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: both descriptors are new, and each gets one owner.
    let [mut from, mut to] = ends.map(|end| unsafe { fs::File::from_raw_fd(end) });
    // SAFETY: this program has no threads of its own, and the libraries' are of no use to the child: it makes contexts anew.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => {
            // SAFETY: ends the child when it hangs.
            unsafe { libc::alarm(PATIENCE) };
            let told = growth(case, blosc).and_then(|bytes| to.write_all(&bytes.to_le_bytes()).ok());
            // SAFETY: ends the child, which has nothing to clean up that the parent does not.
            unsafe { libc::_exit(i32::from(told.is_none())) }
        }
        child => {
            drop(to);
            let mut bytes = [0; 8];
            let told = from.read_exact(&mut bytes);
            // SAFETY: the child is ours, and nobody else waits for it.
            unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
            told.ok().map(|()| u64::from_le_bytes(bytes))
        }
    }
}

fn growth(case: &Case, blosc: &'static Blosc) -> Option<u64> {
    // What is large shall be the system's again when it is freed, and nothing is left from before.
    #[cfg(target_env = "gnu")]
    // SAFETY: settings of the C library's allocator, which take effect from now on.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        libc::malloc_trim(0);
    }
    bring_in_what_all_have();
    // Begins to count anew.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = status("VmRSS:")?;
    (case.prepare)(blosc).once();
    Some(status("VmHWM:")?.saturating_sub(before))
}

/// Maps what is known of the system's C library and of the loader: every process has it from its start, but a child only
/// when it comes to use it, which is then no growth of its own.
fn bring_in_what_all_have() {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for line in maps.lines().filter(|line| line.contains("/libc.so") || line.contains("/ld-linux")) {
        let Some((from, to)) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')) else {
            continue;
        };
        if let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16)) {
            // SAFETY: only reads, from a mapping that stays; where the kernel cannot, it says so and nothing has happened.
            unsafe {
                libc::madvise(std::ptr::without_provenance_mut(from), to - from, libc::MADV_POPULATE_READ)
            };
        }
    }
}

/// A figure of this process, in bytes.
fn status(name: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? << 10)
}
