# What the C codecs are compiled with: sets `codec_environment` to the flags that .cargo/config.toml tells cargo where it is started in
# this folder, those of CFLAGS in the environment, and those of Reproducible.cmake. Sanitize.cmake has its own.

set(codec_environment "")
if(BLOSC_SANITIZE)
    return()
endif()

file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/.cargo/config.toml" told REGEX "^CFLAGS = ")
string(REGEX REPLACE "^CFLAGS = \"(.*)\"$" "\\1" codec_flags "${told}")
include(CheckCCompilerFlag)
check_c_compiler_flag("${codec_flags}" BLOSC2_HAVE_CODEC_FLAGS)
if(NOT BLOSC2_HAVE_CODEC_FLAGS)
    set(codec_flags "")
endif()
# Without a space to spare: cargo builds again what other flags were given to.
string(STRIP "${codec_flags} $ENV{CFLAGS}${reproducible_c_flags}" codec_flags)
set(codec_environment "CFLAGS=${codec_flags}")
