# What the C codecs are compiled with, as .cargo/config.toml tells cargo where it is started in this folder, and by CFLAGS of the
# environment: sets `codec_flags`, and `codec_environment` to what tells cargo.

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
        string(REGEX REPLACE "^CFLAGS = \"(.*)\"$" "\\1" codec_flags "${told}")
    endif()
endif()
# Without a space to spare: cargo builds again what other flags were given to.
string(STRIP "${codec_flags} $ENV{CFLAGS}" codec_flags)
set(codec_environment "CFLAGS=${codec_flags}")
