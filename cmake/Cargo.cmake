# The target `blosc2_cargo`: builds the crate and puts its libraries, under their C names, in BLOSC2_LIBRARY_DIR.

find_program(CARGO_EXECUTABLE cargo HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
if(NOT CARGO_EXECUTABLE)
    message(FATAL_ERROR "cargo was not found: install Rust (https://rustup.rs) or set CARGO_EXECUTABLE")
endif()
set(BLOSC2_CARGO_TARGET_DIR "" CACHE PATH "Where cargo keeps what it builds, when not in the build tree")
set(BLOSC2_RUST_TARGET "" CACHE STRING "Target triple to build for, when not the host's")

# Sets `result` to ON when the ZFP codecs are to be built. Their crate makes its bindings with libclang, and ZFP's own build
# asks for a C++ compiler.
function(blosc2_decide_zfp result)
    string(TOUPPER "${BLOSC_ENABLE_ZFP}" wish)
    if(NOT BUILD_PLUGINS)
        if(wish AND NOT wish STREQUAL "AUTO")
            message(FATAL_ERROR "BLOSC_ENABLE_ZFP=ON: the ZFP codecs are plugins, and BUILD_PLUGINS is OFF")
        endif()
        set(wish OFF)
    endif()
    if(wish STREQUAL "AUTO")
        set(places "$ENV{LIBCLANG_PATH}")
        file(GLOB llvm_folders "/usr/lib/llvm-*/lib" "/usr/lib/llvm*/lib64")
        find_library(BLOSC2_LIBCLANG NAMES clang libclang.so.1 HINTS ${places} ${llvm_folders})
        mark_as_advanced(BLOSC2_LIBCLANG)
        include(CheckLanguage)
        check_language(CXX)
        if(BLOSC2_LIBCLANG AND CMAKE_CXX_COMPILER)
            set(wish ON)
        else()
            message(STATUS "libclang or a C++ compiler is missing: building without the ZFP codecs (BLOSC_ENABLE_ZFP=ON insists)")
            set(wish OFF)
        endif()
    endif()
    set(${result} ${wish} PARENT_SCOPE)
endfunction()

blosc2_decide_zfp(BLOSC2_HAVE_ZFP)

# What rustc says of itself.
get_filename_component(cargo_folder "${CARGO_EXECUTABLE}" DIRECTORY)
find_program(RUSTC_EXECUTABLE rustc HINTS "${cargo_folder}")
mark_as_advanced(RUSTC_EXECUTABLE)
execute_process(COMMAND "${RUSTC_EXECUTABLE}" --version --verbose OUTPUT_VARIABLE rustc_version)
execute_process(COMMAND "${RUSTC_EXECUTABLE}" --print sysroot OUTPUT_VARIABLE rustc_sysroot OUTPUT_STRIP_TRAILING_WHITESPACE)

include(Sanitize)

set(cargo_output "${BLOSC2_CARGO_TARGET_DIR}")
if(NOT cargo_output)
    set(cargo_output "${CMAKE_CURRENT_BINARY_DIR}/cargo")
endif()
set(cargo_options build --locked --lib --manifest-path "${CMAKE_CURRENT_SOURCE_DIR}/Cargo.toml"
    --target-dir "${cargo_output}" ${sanitize_cargo_options})
if(NOT BUILD_PLUGINS)
    list(APPEND cargo_options --no-default-features --features capi)
endif()
if(BLOSC2_HAVE_ZFP)
    list(APPEND cargo_options --features zfp)
endif()
if(BUILD_TOOL)
    # In the same run: cargo would build the crate again for other features.
    list(APPEND cargo_options --bin b2 --features cli)
endif()
if(BLOSC2_RUST_TARGET)
    list(APPEND cargo_options --target "${BLOSC2_RUST_TARGET}")
    string(APPEND cargo_output "/${BLOSC2_RUST_TARGET}")
elseif(CMAKE_CROSSCOMPILING)
    message(FATAL_ERROR "Cross-compiling: set BLOSC2_RUST_TARGET to the target's triple")
endif()

# Only two of cargo's profiles: dev for Debug, release for everything else.
get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(is_multi_config)
    set(cargo_profile "$<IF:$<CONFIG:Debug>,dev,release>")
    set(profile_folder "$<IF:$<CONFIG:Debug>,debug,release>")
    set(BLOSC2_LIBRARY_DIR "${CMAKE_CURRENT_BINARY_DIR}/lib/${profile_folder}")
elseif(CMAKE_BUILD_TYPE STREQUAL "Debug")
    set(cargo_profile dev)
    set(profile_folder debug)
    set(BLOSC2_LIBRARY_DIR "${CMAKE_CURRENT_BINARY_DIR}/lib")
else()
    set(cargo_profile release)
    set(profile_folder release)
    set(BLOSC2_LIBRARY_DIR "${CMAKE_CURRENT_BINARY_DIR}/lib")
endif()

include(Reproducible)
include(Codecs)

set(BLOSC2_SHARED_FILE "libblosc2.so.${PROJECT_VERSION}")
set(BLOSC2_SHARED_LINKS "libblosc2.so.${BLOSC2_SOVERSION}" "libblosc2.so")
set(BLOSC2_STATIC_FILE "libblosc2.a")
set(BLOSC2_TOOL "${cargo_output}/${profile_folder}/b2")

# Cargo knows best whether anything changed, so it is always asked; the libraries are only replaced when they differ.
add_custom_target(blosc2_cargo ALL
    COMMAND ${CMAKE_COMMAND} -E env "CC=${CMAKE_C_COMPILER}" ${sanitize_environment} ${reproducible_environment} ${codec_environment}
        "${CARGO_EXECUTABLE}" ${cargo_options} --profile ${cargo_profile}
    COMMAND ${CMAKE_COMMAND}
        "-Dfrom=${cargo_output}/${profile_folder}" "-Dto=${BLOSC2_LIBRARY_DIR}"
        "-Dshared_file=${BLOSC2_SHARED_FILE}" "-Dshared_links=${BLOSC2_SHARED_LINKS}" "-Dstatic_file=${BLOSC2_STATIC_FILE}"
        "-Dkeep_debug=$<OR:$<CONFIG:Debug>,$<CONFIG:RelWithDebInfo>>"
        "-Dlinker=${CMAKE_LINKER}" "-Dobjcopy=${CMAKE_OBJCOPY}" "-Dnm=${CMAKE_NM}" "-Dar=${CMAKE_AR}"
        -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/PublishLibraries.cmake"
    BYPRODUCTS
        "${BLOSC2_LIBRARY_DIR}/${BLOSC2_SHARED_FILE}"
        "${BLOSC2_LIBRARY_DIR}/libblosc2.so.${BLOSC2_SOVERSION}"
        "${BLOSC2_LIBRARY_DIR}/libblosc2.so"
        "${BLOSC2_LIBRARY_DIR}/${BLOSC2_STATIC_FILE}"
    COMMENT "Building the crate with cargo"
    USES_TERMINAL
    VERBATIM)
