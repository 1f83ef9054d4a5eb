# Steps of test.sh: packages, each installed into an empty root and used there. Read by steps.sh.

# What the C library's build can be asked for and ours cannot is refused; what changes nothing is not.
cmake_options() {
    out=$build/options
    rm -rf "$out"
    configure "$out" "$root" -DBUILD_BENCHMARKS=OFF -DBUILD_FUZZERS=OFF -DBUILD_PLUGINS=ON -DDEACTIVATE_AVX2=ON -DPREFER_EXTERNAL_ZSTD=OFF
    for option in BUILD_LITE=ON DEACTIVATE_ZLIB=ON PREFER_EXTERNAL_LZ4=ON BUILD_BENCHMARKS=ON \
        BLOSC_DEPENDENCY_MODE=AUTO; do
        if configure "$out" "$root" "-D$option" >"$out/said" 2>&1; then die "$option was taken."; fi
        grep -F "$option: " "$out/said"
        # Not to be remembered.
        configure "$out" "$root" "-U${option%%=*}" >"$out/said"
    done
}

# The library without the codecs and filters of the registry.
without_plugins() {
    cmake -S "$root" -B "$build/without-plugins" -DBLOSC2_CARGO_TARGET_DIR="$CARGO_TARGET_DIR" -DBUILD_PLUGINS=OFF -DBUILD_TOOL=OFF \
        -DBUILD_STATIC=OFF -DCMAKE_BUILD_TYPE=Debug
    cmake --build "$build/without-plugins" --parallel "$(processors)"
    tree=$build/without-plugins
    c_tests shared
}

packages=$build/packages
empty_root=$build/packages-root

# Archives and, where dpkg is, Debian packages, from a build for /usr.
packages_made() {
    rm -rf "$packages/packages"
    configure "$packages" "$root" -DCMAKE_BUILD_TYPE=Release -DBLOSC_ENABLE_ZFP=ON -DBUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr
    cmake --build "$packages" --target package
    ls -l "$packages/packages"
}

# use_packages NAME PREFIX [ROOT]: a C program is built with what is installed at PREFIX, which may be /usr of another ROOT, by
# way of CMake and of pkg-config, and run.
use_packages() {
    try_consumer "$1" -DCMAKE_PREFIX_PATH="$2"
    have pkg-config || have pkgconf || system_install pkg-config
    # Nothing but these packages.
    PKG_CONFIG_LIBDIR=$(dirname "$(find "$2" -name blosc2.pc)")
    PKG_CONFIG_SYSROOT_DIR=${3:-}
    export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    "$CC" ctests/consumer/main.c -o "$build/consumer-$1/by_pkg_config" $(pkg-config --cflags --libs blosc2)
    LD_LIBRARY_PATH=$(pkg-config --variable=libdir blosc2) "$build/consumer-$1/by_pkg_config"
    if grep -q '^BUILD_TOOL:BOOL=ON' "$packages/CMakeCache.txt"; then
        "$2/bin/b2" info examples/data/jacksboro.b2nd
    fi
}

package_archives() {
    rm -rf "$empty_root-tar" && mkdir -p "$empty_root-tar"
    for archive in "$packages"/packages/*.tar.gz; do
        tar -xzf "$archive" -C "$empty_root-tar"
    done
    use_packages archives "$empty_root-tar"
}

# package_field PACKAGE FIELD
package_field() { dpkg-deb --field "$packages/packages/$1"_*.deb "$2"; }

# into_root PACKAGE...: unpacks them, as dpkg does before it runs their scripts (for ldconfig, which an empty root has not).
into_root() { dpkg --root="$empty_root" --force-not-root --force-depends --log=/dev/null --unpack "$@"; }

new_root() {
    rm -rf "$empty_root"
    mkdir -p "$empty_root/var/lib/dpkg/info" "$empty_root/var/lib/dpkg/updates"
    : >"$empty_root/var/lib/dpkg/status"
}

package_debs() {
    have dpkg-deb && have dpkg || skip 'there is no dpkg'
    [ "$(package_field liboxiblosc2-9 Provides)" = 'libblosc2-9 (= 3.3.5)' ]
    [ "$(package_field liboxiblosc2-dev Provides)" = 'libblosc2-dev (= 3.3.5)' ]
    package_field liboxiblosc2-dev Depends | grep -q 'liboxiblosc2-9 (= '
    if have dpkg-shlibdeps; then
        package_field liboxiblosc2-9 Depends | grep -q 'libc6 (>= '
    fi
    new_root
    into_root "$packages"/packages/*.deb
    for package in liboxiblosc2-9 liboxiblosc2-dev; do
        [ -f "$empty_root/usr/share/doc/$package/copyright" ]
    done
    use_packages debs "$empty_root/usr" "$empty_root"

    # The C library's package is not taken away by ours without a question.
    new_root
    fake=$build/packages-fake
    rm -rf "$fake" && mkdir -p "$fake/DEBIAN"
    printf '%s\n' 'Package: libblosc2-9' 'Version: 3.3.5-1' 'Architecture: all' 'Maintainer: nobody' 'Description: stands in' \
        >"$fake/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$fake" "$fake.deb"
    into_root "$fake.deb"
    if into_root "$packages"/packages/liboxiblosc2-9_*.deb; then
        die "Our package went in beside the C library's."
    fi
}

# The crate as it would be published builds by itself, with cargo and with CMake.
crate_package() {
    cargo package --locked --allow-dirty
    folder=$(ls -d "$CARGO_TARGET_DIR"/package/oxiblosc2-*/ | tail -n 1)
    configure "$build/crate" "$folder" -DCMAKE_BUILD_TYPE=Debug -DBLOSC_ENABLE_ZFP=OFF -DBUILD_EXAMPLES=ON -DCMAKE_INSTALL_PREFIX="$build/crate-prefix" \
        -DCMAKE_EXE_LINKER_FLAGS=-Wl,--strip-debug
    cmake --build "$build/crate" --parallel "$(processors)"
    ( cd "$build/crate" && ctest --output-on-failure --no-tests=error -R '^(shared|static).simple$' )
    cmake --install "$build/crate"
}

# The recipes in packaging/, as far as they can be run without the programs they are for.
recipe_conda() {
    PREFIX=$build/conda-prefix
    rm -rf "$PREFIX" build/conda
    CMAKE_ARGS="-DBLOSC2_CARGO_TARGET_DIR=$CARGO_TARGET_DIR" PREFIX=$PREFIX sh packaging/conda/build.sh
    rm -rf build/conda
    PKG_CONFIG_PATH=$PREFIX/lib/pkgconfig
    export PKG_CONFIG_PATH
    have pkg-config || have pkgconf || system_install pkg-config
    # What the recipe's tests say.
    [ -f "$PREFIX/lib/libblosc2.so.9" ]
    [ "$(pkg-config --modversion blosc2)" = 3.3.5 ]
    "$CC" packaging/conda/test.c -o "$build/conda-test" $(pkg-config --cflags --libs blosc2) -Wl,-rpath,"$PREFIX/lib"
    "$build/conda-test"
}

recipe_vcpkg() {
    cmake -DWORK="$build/vcpkg" "-DOPTIONS=-DBLOSC2_CARGO_TARGET_DIR=$CARGO_TARGET_DIR" -P packaging/try_vcpkg.cmake
    try_consumer vcpkg -DCMAKE_PREFIX_PATH="$build/vcpkg/packages" '-DTARGETS=blosc2;blosc2_shared'
}
