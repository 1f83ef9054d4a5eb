//! Where plugins are: on the loader's path, or in the folder of an installed Python package.
//!
//! The package `blosc2_<name>` holds its library beside its Python code. Packages are looked for in the folders that a
//! Python interpreter would look in, without running one. Only absolute paths count: what a relative one means is decided
//! by the current directory.

use super::library::our_path;
use crate::base::env;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The folders of Python packages below an installation's prefix, and below that of the user; `*` is a version.
const PACKAGES: [&str; 5] = [
    "lib/python*/site-packages",
    "lib64/python*/site-packages",
    "lib/python*/dist-packages",
    "lib/dist-packages",
    "local/lib/python*/dist-packages",
];

/// The places to look for the plugin `name`, whose library is `file`, best first. The plain file name is for the loader.
pub(super) fn all(name: &str, file: &str) -> Vec<PathBuf> {
    let mut places = Vec::new();
    if is_absolute(env::text("LD_LIBRARY_PATH").as_deref()) {
        places.push(PathBuf::from(file));
    } else {
        places.extend(loader_folders().into_iter().map(|folder| folder.join(file)));
    }
    if !is_privileged() {
        let package = Path::new(&format!("blosc2_{name}")).join(file);
        places.extend(package_folders().into_iter().map(|folder| folder.join(&package)));
    }
    // A plain name does not exist as a file, and must not: the loader finds it elsewhere.
    places.retain(|place| !place.is_absolute() || place.is_file());
    places
}

/// Whether a search path has no entry that depends on the current directory. An empty entry does.
fn is_absolute(path: Option<&str>) -> bool {
    path.is_none_or(|path| path.is_empty() || path.split([':', ';']).all(|entry| entry.starts_with('/')))
}

/// What the loader would search, without those entries of its path that depend on the current directory.
fn loader_folders() -> Vec<PathBuf> {
    let mut folders = absolute_entries("LD_LIBRARY_PATH");
    if is_privileged() {
        folders.clear();
    }
    let system = ["/usr/local/lib", "/lib64", "/usr/lib64", "/lib", "/usr/lib"];
    folders.extend(system.map(PathBuf::from));
    folders
}

/// Whether the process may do more than its user, who then has no say in what it loads.
fn is_privileged() -> bool {
    // SAFETY: asks for a number.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// The absolute entries of the search path `variable`.
fn absolute_entries(variable: &str) -> Vec<PathBuf> {
    let Some(path) = std::env::var_os(variable) else { return Vec::new() };
    std::env::split_paths(&path).filter(|entry| entry.is_absolute()).collect()
}

/// The folders of Python packages: of our own, of the environment that is active, of the interpreters on the path, of
/// the user.
fn package_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(path) = our_path() {
        let is_packages = |folder: &&Path| {
            folder.is_absolute() && (folder.ends_with("site-packages") || folder.ends_with("dist-packages"))
        };
        folders.extend(path.ancestors().find(is_packages).map(Path::to_owned));
    }
    folders.extend(absolute_entries("PYTHONPATH"));
    folders.extend(prefixes().iter().flat_map(|prefix| packages_below(prefix)));
    let mut seen = BTreeSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders
}

/// The folders that Python is installed below.
fn prefixes() -> Vec<PathBuf> {
    let mut prefixes = Vec::new();
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        prefixes.extend(absolute_entries(variable));
    }
    // The process itself may be an interpreter; then those that a shell would run.
    let mut programs: Vec<PathBuf> = std::env::current_exe().into_iter().collect();
    for folder in absolute_entries("PATH") {
        programs
            .extend(["python", "python3"].map(|name| folder.join(name)).into_iter().filter(|p| p.is_file()));
    }
    for program in programs {
        // An environment's interpreter is a link to the one that it was made from.
        let real = program.canonicalize().ok();
        let prefix = |program: &Path| program.parent().and_then(Path::parent).map(Path::to_owned);
        prefixes.extend(prefix(&program));
        prefixes.extend(real.as_deref().and_then(prefix));
    }
    prefixes.extend(absolute_entries("HOME").into_iter().map(|home| home.join(".local")));
    prefixes
}

/// The folders of Python packages below `prefix` that are there.
fn packages_below(prefix: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for pattern in PACKAGES {
        match pattern.split_once("python*/") {
            None => found.push(prefix.join(pattern)),
            Some((lib, packages)) => {
                let mut versions: Vec<_> =
                    std::fs::read_dir(prefix.join(lib)).into_iter().flatten().flatten().collect();
                versions.retain(|entry| entry.file_name().to_string_lossy().starts_with("python"));
                // The newest first, by name.
                versions.sort_by_key(|entry| std::cmp::Reverse(entry.file_name()));
                found.extend(versions.into_iter().map(|entry| entry.path().join(packages)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_current_directory_is_nowhere() {
        assert!(is_absolute(None) && is_absolute(Some("")) && is_absolute(Some("/a:/b")));
        for path in [":", "/a:", ":/a", "/a::/b", ".", "/a:b", "/a;"] {
            assert!(!is_absolute(Some(path)), "{path}");
        }
        assert!(loader_folders().iter().chain(&package_folders()).all(|folder| folder.is_absolute()));
    }

    #[test]
    fn packages_are_below_a_prefix() {
        let prefix = std::env::temp_dir().join(format!("oxiblosc2-places-{}", std::process::id()));
        for version in ["python3.9", "python3.11", "nothing"] {
            std::fs::create_dir_all(prefix.join("lib").join(version)).unwrap();
        }
        let found = packages_below(&prefix);
        assert!(found.contains(&prefix.join("lib/python3.9/site-packages")));
        assert!(found.contains(&prefix.join("lib/python3.11/site-packages")));
        assert!(!found.iter().any(|folder| folder.starts_with(prefix.join("lib/nothing"))));
        std::fs::remove_dir_all(&prefix).unwrap();
    }
}
