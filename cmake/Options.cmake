# The options of c-blosc2's CMake build that mean nothing here, or cannot be had: what would change nothing is said, what would
# give another library than asked for ends the configuration.

# Only where the project is built for itself: in a larger one such names may be somebody else's.
if(NOT blosc2_is_top_level)
    return()
endif()

# refuse(VALUE OPTION WHY): OPTION must not have VALUE (ON or OFF).
function(refuse value option why)
    if(DEFINED ${option} AND ((value AND ${option}) OR (NOT value AND NOT ${option})))
        message(FATAL_ERROR "${option}=${${option}}: ${why}")
    endif()
endfunction()

refuse(ON BUILD_BENCHMARKS "the benchmarks are cargo's: sh scripts/bench.sh")
refuse(ON BUILD_FUZZERS "the fuzzers are cargo's: sh scripts/soak.sh")
refuse(ON BUILD_LITE "there is no library without Zlib and Zstd")
refuse(ON DEACTIVATE_ZLIB "there is no library without Zlib")
refuse(ON DEACTIVATE_ZSTD "there is no library without Zstd")
foreach(codec LZ4 ZLIB ZSTD)
    refuse(ON PREFER_EXTERNAL_${codec} "the codecs come with the crates that Cargo.lock names")
endforeach()
if(DEFINED BLOSC_DEPENDENCY_MODE AND NOT BLOSC_DEPENDENCY_MODE STREQUAL "BUNDLED")
    message(FATAL_ERROR "BLOSC_DEPENDENCY_MODE=${BLOSC_DEPENDENCY_MODE}: the codecs come with the crates that Cargo.lock names")
endif()
foreach(option DEACTIVATE_AVX2 DEACTIVATE_AVX512)
    if(${option})
        message(WARNING "${option} changes nothing: the library chooses its vector code when it runs")
    endif()
endforeach()
