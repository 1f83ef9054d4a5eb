//! When sharing a run pays.

/// What it costs to get a sleeping worker to work, and to wait for its last job, in nanoseconds, where the machine has
/// other things to do: a run has to save more than this.
const WAKING: u64 = 75_000;

/// How many of `nthreads` threads are worth employing for a run of `njobs` jobs that would take one thread `nanos`
/// nanoseconds: each of them must have work for longer than waking it takes. What that costs with a host program's own
/// threads nobody knows: they get all there is to share.
pub fn threads(nthreads: usize, njobs: usize, nanos: u64) -> usize {
    let nanos = if super::has_executor() { u64::MAX } else { nanos };
    let useful = usize::try_from(nanos / WAKING).unwrap_or(usize::MAX);
    nthreads.min(njobs).min(useful).max(1)
}

#[cfg(test)]
mod tests {
    use super::threads;

    #[test]
    fn small_runs_stay_on_one_thread() {
        assert_eq!(threads(8, 100, 10_000), 1);
        assert_eq!(threads(8, 1, u64::MAX), 1);
        assert_eq!(threads(0, 0, 0), 1);
        assert_eq!(threads(8, 100, u64::MAX), 8);
    }

    #[test]
    fn each_thread_has_its_share() {
        assert_eq!(threads(8, 100, 3 * super::WAKING), 3);
    }
}
