# What the scripts share. To be read with `.` after `root` is set to the repository's folder.

# Everything that scripts make goes here; it can be deleted at any time.
build=$root/build
venv=$build/venv
# One folder for all that cargo builds, so that steps share what they can.
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$build/cargo}
export CARGO_TARGET_DIR
# Half of the disk space: nothing here is compiled again after a change, and of debug information backtraces are all that is wanted.
CARGO_INCREMENTAL=0
CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-line-tables-only}
export CARGO_INCREMENTAL CARGO_PROFILE_DEV_DEBUG
PIP_DISABLE_PIP_VERSION_CHECK=1
export PIP_DISABLE_PIP_VERSION_CHECK

say() { printf '%s\n' "$*"; }
die() { printf '%s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
processors() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# Installs packages of the system, where we may and know how. Quietly fails elsewhere: callers have another way, or say what is missing.
system_install() {
    [ "$(id -u)" -eq 0 ] && have apt-get || return 1
    say "Installing $* with apt-get"
    if [ -z "${apt_is_fresh:-}" ]; then
        apt-get update -qq >/dev/null 2>&1 || true
        apt_is_fresh=yes
    fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

need_rust() {
    have cargo || PATH=$HOME/.cargo/bin:$PATH
    have cargo || die "A Rust toolchain is needed (https://rustup.rs): cargo was not found."
}

# Cargo's build scripts and CMake are to use the same compiler by the same name: then neither builds again what the other built.
need_c_compiler() {
    have cc || have gcc || have clang || system_install gcc libc6-dev || die "A C compiler is needed: cc was not found."
    CC=${CC:-$(command -v cc || command -v gcc || command -v clang)}
    export CC
}

# A Python environment in the build folder; fails where there is no Python.
make_venv() {
    [ -x "$venv/bin/pip" ] && return 0
    rm -rf "$venv"
    have python3 || system_install python3 python3-venv || return 1
    mkdir -p "$build"
    python3 -m venv "$venv" >/dev/null 2>&1 && return 0
    # Debian's python3 comes without the module.
    rm -rf "$venv"
    system_install python3-venv && python3 -m venv "$venv" >/dev/null 2>&1
}

cmake_is_recent() {
    have cmake && cmake --version | awk 'NR == 1 { split($3, v, "."); exit !(v[1] > 3 || (v[1] == 3 && v[2] >= 16)) }'
}

need_cmake() {
    [ -x "$venv/bin/cmake" ] && PATH=$venv/bin:$PATH
    cmake_is_recent || system_install cmake make || true
    if ! cmake_is_recent; then
        say "Installing cmake with pip"
        make_venv && "$venv/bin/pip" install --quiet cmake ninja && PATH=$venv/bin:$PATH
    fi
    cmake_is_recent || die "CMake 3.16 or later is needed, and could not be installed."
    have make || have ninja || system_install make || die "make or ninja is needed."
    have make || export CMAKE_GENERATOR=Ninja
    export PATH
}

# bindgen, which the zfp crate uses, wants libclang.
find_libclang() {
    [ -n "${LIBCLANG_PATH:-}" ] && return 0
    for folder in /usr/lib/llvm-*/lib /usr/lib /usr/lib64 /usr/lib/*-linux-gnu /usr/local/lib; do
        # Not libclang-cpp, which is another library.
        for library in "$folder"/libclang.so* "$folder"/libclang-[0-9]*.so*; do
            [ -e "$library" ] && return 0
        done
    done
    system_install libclang-dev && return 0
    # The wheel is the library alone: the compiler lends it its headers.
    make_venv && "$venv/bin/pip" install --quiet libclang || return 1
    LIBCLANG_PATH=$(dirname "$(find "$venv" -name 'libclang*.so*' | head -n 1)")
    BINDGEN_EXTRA_CLANG_ARGS="-I$("$CC" -print-file-name=include)"
    export LIBCLANG_PATH BINDGEN_EXTRA_CLANG_ARGS
}

# What a build with all features takes, after a C compiler: ZFP is built by CMake and a C++ compiler, which the headers in C++ are
# tried with, too.
need_all_features() {
    need_cmake
    have c++ || system_install g++ || say 'No C++ compiler: what needs one will fail.'
    find_libclang || die "libclang is needed for the zfp feature, and could not be installed."
}

# What the documentation is built with; fails where it cannot be had.
need_sphinx() {
    make_venv || return 1
    "$venv/bin/python" -c 'import sphinx, myst_parser, furo' 2>/dev/null ||
        "$venv/bin/pip" install --quiet --requirement "$root/docs/requirements.txt"
}
