# What the C codecs are compiled with, as .cargo/config.toml tells cargo where it is started in this folder: sets `codec_flags`, and
# `codec_environment` to them and CFLAGS of the environment, which come behind.

set(codec_flags "")
set(codec_environment "")
if(BLOSC_SANITIZE)
    return()
endif()

file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/.cargo/config.toml" told REGEX "^CFLAGS = ")
if(told MATCHES "\"(.*)\"")
    include(CheckCCompilerFlag)
    check_c_compiler_flag("${CMAKE_MATCH_1}" BLOSC2_HAVE_CODEC_FLAGS)
    if(BLOSC2_HAVE_CODEC_FLAGS)
        string(REGEX REPLACE "^CFLAGS = \"(.*)\"$" "\\1 " codec_flags "${told}")
    endif()
endif()
set(codec_environment "CFLAGS=${codec_flags}$ENV{CFLAGS}")
