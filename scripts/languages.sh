# Steps of test.sh: the examples in other languages, each with the library as it was installed. Read by steps.sh.

installed_library() { find "$prefix-moved" -name libblosc2.so; }

# An empty folder for the programs of a language, which write their files where they are run.
language_folder() {
    folder=$build/languages/$1
    rm -rf "$folder" && mkdir -p "$folder"
}

# cplusplus COMPILER: as C++17 and as C++20.
cplusplus() {
    language_folder "$1"
    lib=$(dirname "$(installed_library)")
    for standard in 17 20; do
        "$1" -std=c++$standard -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I"$prefix-moved/include" \
            examples/story.cpp -o "$folder/story$standard" -L"$lib" -lblosc2 -Wl,-rpath,"$lib"
        ( cd "$folder" && "./story$standard" )
    done
    "$1" --version | head -n 1
}

cplusplus_gcc() {
    have g++ || system_install g++ || skip 'there is no g++'
    cplusplus g++
}

cplusplus_clang() {
    have clang++ || system_install clang || skip 'there is no clang++'
    cplusplus clang++
}

# with_python PACKAGE...: the environment in the build folder, with these packages.
with_python() {
    make_venv && "$venv/bin/pip" install --quiet "$@" || skip "no Python with $*"
    BLOSC2_LIBRARY=$(installed_library)
    PYTHONPATH=$root/examples/python:$root/examples/dask
    PYTHONDONTWRITEBYTECODE=1
    export BLOSC2_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
}

python_numpy() {
    with_python numpy
    language_folder python
    cd "$folder" && "$venv/bin/python" "$root/examples/python/story.py"
}

python_dask() {
    with_python numpy 'dask[distributed]'
    language_folder dask
    cd "$folder" && "$venv/bin/python" "$root/examples/dask/fill_and_reduce.py"
}

fortran() {
    have gfortran || system_install gfortran || skip 'there is no gfortran'
    language_folder fortran
    lib=$(dirname "$(installed_library)")
    gfortran -std=f2018 -Wall -Wextra -Werror -O1 -J "$folder" examples/fortran/blosc2.f90 examples/fortran/story.f90 \
        -o "$folder/story" -L"$lib" -lblosc2 -Wl,-rpath,"$lib"
    cd "$folder" && ./story && gfortran --version | head -n 1
}

nodejs() {
    have node && have npm || system_install nodejs npm || skip 'there is no Node.js with npm'
    language_folder node
    cp examples/node/*.js examples/node/package.json "$folder"
    cd "$folder"
    npm install --no-audit --no-fund --loglevel=error || skip 'koffi could not be had from npm'
    BLOSC2_LIBRARY=$(installed_library) node story.js
    node --version
}

rust() {
    cargo run --locked --profile test --all-features --example story
    cargo run --locked --profile test --all-features --example numbers
}
