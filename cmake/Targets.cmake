# The targets, for this build tree. What is installed describes itself in Blosc2Config.cmake.in.

set(CMAKE_THREAD_PREFER_PTHREAD TRUE)
set(THREADS_PREFER_PTHREAD_FLAG TRUE)
find_package(Threads REQUIRED)

# What the static library asks of the system, besides threads and what the C compiler links anyway (its runtime, for
# unwinding, and libc).
set(BLOSC2_SYSTEM_LIBRARIES rt m dl)

# Describes the imported `target` as the library file `name`.
function(blosc2_import target type name)
    add_library(${target} ${type} IMPORTED GLOBAL)
    add_library(Blosc2::${target} ALIAS ${target})
    add_dependencies(${target} blosc2_cargo)
    set_target_properties(${target} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/include"
        INTERFACE_COMPILE_OPTIONS "${sanitize_compile_options}"
        INTERFACE_LINK_OPTIONS "${sanitize_link_options}")
    get_property(is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
    if(is_multi_config)
        set_target_properties(${target} PROPERTIES
            IMPORTED_LOCATION "${CMAKE_CURRENT_BINARY_DIR}/lib/release/${name}"
            IMPORTED_LOCATION_DEBUG "${CMAKE_CURRENT_BINARY_DIR}/lib/debug/${name}")
    else()
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${BLOSC2_LIBRARY_DIR}/${name}")
    endif()
endfunction()

if(BUILD_SHARED)
    blosc2_import(blosc2_shared SHARED "${BLOSC2_SHARED_FILE}")
    set_target_properties(blosc2_shared PROPERTIES IMPORTED_SONAME "libblosc2.so.${BLOSC2_SOVERSION}")
endif()
if(BUILD_STATIC)
    blosc2_import(blosc2_static STATIC "${BLOSC2_STATIC_FILE}")
    set_target_properties(blosc2_static PROPERTIES
        IMPORTED_LINK_INTERFACE_LANGUAGES C
        INTERFACE_LINK_LIBRARIES "Threads::Threads;${BLOSC2_SYSTEM_LIBRARIES}")
endif()

if(BUILD_SHARED AND (BUILD_SHARED_LIBS OR NOT BUILD_STATIC))
    set(BLOSC2_DEFAULT_LIBRARY blosc2_shared)
else()
    set(BLOSC2_DEFAULT_LIBRARY blosc2_static)
endif()
add_library(Blosc2::blosc2 ALIAS ${BLOSC2_DEFAULT_LIBRARY})
