# BLOSC_SANITIZE=address or thread: a library that watches its memory, or its threads, for the tests. It is slow, and a program
# that uses it needs the sanitizer's runtime, which linking with the targets brings.
#
# Sets what cargo and the users of the targets are to be told. RUSTC_BOOTSTRAP opens the sanitizers of a stable rustc. The C
# compiler instruments codecs and programs; the runtime is rustc's, which knows what an older C compiler asks of it.

set(BLOSC_SANITIZE "" CACHE STRING "Find errors in tests: address, thread, or nothing")
set_property(CACHE BLOSC_SANITIZE PROPERTY STRINGS "" address thread)
set(sanitize_environment "")
set(sanitize_cargo_options "")
set(sanitize_compile_options "")
set(sanitize_link_options "")
if(NOT BLOSC_SANITIZE)
    return()
endif()
if(NOT BLOSC_SANITIZE MATCHES "^(address|thread)$")
    message(FATAL_ERROR "BLOSC_SANITIZE is ${BLOSC_SANITIZE}: not address, thread or nothing")
endif()
if(BUILD_STATIC)
    message(FATAL_ERROR "BLOSC_SANITIZE goes with the shared library alone: set BUILD_STATIC=OFF")
endif()

# A target has to be named: build scripts run without the runtime.
if(NOT BLOSC2_RUST_TARGET AND rustc_version MATCHES "host: ([^\n]+)")
    set(BLOSC2_RUST_TARGET "${CMAKE_MATCH_1}")
endif()

set(short_names_address asan)
set(short_names_thread tsan)
file(GLOB runtime "${rustc_sysroot}/lib/rustlib/${BLOSC2_RUST_TARGET}/lib/librustc*_rt.${short_names_${BLOSC_SANITIZE}}.a")
if(NOT runtime)
    message(FATAL_ERROR "${rustc_sysroot} has no runtime of the ${BLOSC_SANITIZE} sanitizer for ${BLOSC2_RUST_TARGET}")
endif()

set(sanitize_compile_options "-fsanitize=${BLOSC_SANITIZE}" -fno-omit-frame-pointer -g)
set(sanitize_link_options LINKER:--whole-archive "${runtime}" LINKER:--no-whole-archive LINKER:--export-dynamic -ldl -lrt -lm)
# GCC believes that a constant table of zstd's, declared in a function, is gone when that returns.
list(JOIN sanitize_compile_options " " c_flags)
string(APPEND c_flags " -fno-sanitize-address-use-after-scope")
set(sanitize_environment RUSTC_BOOTSTRAP=1 "RUSTFLAGS=-Zsanitizer=${BLOSC_SANITIZE}" "CFLAGS=${c_flags}" "CXXFLAGS=${c_flags}"
    CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=line-tables-only)
if(BLOSC_SANITIZE STREQUAL "thread")
    # What the standard library does to hand memory from thread to thread has to be seen; needs rustup's component rust-src.
    set(sanitize_cargo_options -Zbuild-std)
endif()
