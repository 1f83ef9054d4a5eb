# Two builds of one commit by the same compilers give the same libraries, wherever their folders are: sets
# `reproducible_environment` to what tells rustc and the C++ compiler to write names in the place of paths, and `reproducible_c_flags`
# to what tells the C compiler (Codecs.cmake).
#
# Not in Debug, for debuggers look for sources by their paths. RUSTFLAGS and CXXFLAGS of the environment go along as they
# are when CMake configures.

set(reproducible_environment "")
set(reproducible_c_flags "")
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(BLOSC_SANITIZE OR is_multi_config OR CMAKE_BUILD_TYPE STREQUAL "Debug")
    return()
endif()

if(DEFINED ENV{CARGO_HOME})
    set(cargo_home "$ENV{CARGO_HOME}")
else()
    set(cargo_home "$ENV{HOME}/.cargo")
endif()

# Where the standard library's sources are installed, rustc names them; without, it names them as they were when it was built.
string(REGEX MATCH "commit-hash: ([0-9a-f]+)" found "${rustc_version}")
set(standard_library "${rustc_sysroot}/lib/rustlib/src/rust=/rustc/${CMAKE_MATCH_1}")

include(CheckCCompilerFlag)
check_c_compiler_flag(-ffile-prefix-map=from=to BLOSC2_HAVE_FILE_PREFIX_MAP)

set(rust_flags "")
foreach(place "${CMAKE_CURRENT_SOURCE_DIR}=oxiblosc2" "${cargo_home}=cargo" "${cargo_output}=build" "${standard_library}")
    list(APPEND rust_flags "--remap-path-prefix=${place}")
    # CFLAGS are cut at spaces.
    if(BLOSC2_HAVE_FILE_PREFIX_MAP AND NOT place MATCHES " ")
        string(APPEND reproducible_c_flags " -ffile-prefix-map=${place}")
    endif()
endforeach()

# Flags are told apart by a character that no path has.
string(ASCII 31 separator)
if(DEFINED ENV{CARGO_ENCODED_RUSTFLAGS})
    list(INSERT rust_flags 0 "$ENV{CARGO_ENCODED_RUSTFLAGS}")
elseif(NOT "$ENV{RUSTFLAGS}" STREQUAL "")
    separate_arguments(given UNIX_COMMAND "$ENV{RUSTFLAGS}")
    list(INSERT rust_flags 0 ${given})
endif()
list(JOIN rust_flags "${separator}" rust_flags)
set(reproducible_environment "CARGO_ENCODED_RUSTFLAGS=${rust_flags}" "CXXFLAGS=$ENV{CXXFLAGS}${reproducible_c_flags}")
