# Run as a script after cargo: copies the libraries from `from` to `to` under the names that C programs link, without their
# debug information unless `keep_debug`.
#
# The static library is rewritten so that only the public names stay global. Cargo's archive holds the codecs and Rust's
# standard library with their symbols in the open; a program that brings its own liblz4 or libzstd would clash with them.

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status ERROR_VARIABLE complaint OUTPUT_VARIABLE output)
    if(NOT status EQUAL 0)
        string(REPLACE ";" " " command "${ARGN}")
        message(FATAL_ERROR "${command}\nfailed (${status}):\n${complaint}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

# Sets `names` to what the shared library exports.
function(public_names shared)
    run("${nm}" --dynamic --defined-only --format=posix "${shared}")
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    list(TRANSFORM lines REPLACE "[ @].*" "")
    if(NOT lines)
        message(FATAL_ERROR "${shared} exports nothing")
    endif()
    set(names "${lines}" PARENT_SCOPE)
endfunction()

# Sets `current` when `target` is at least as new as `source`.
function(is_current target source)
    if(EXISTS "${target}" AND NOT "${source}" IS_NEWER_THAN "${target}")
        set(current ON PARENT_SCOPE)
    else()
        set(current OFF PARENT_SCOPE)
    endif()
endfunction()

function(publish_shared)
    set(source "${from}/libblosc2.so")
    set(target "${to}/${shared_file}")
    is_current("${target}" "${source}")
    if(current)
        return()
    endif()
    run("${objcopy}" ${strip_debug} "${source}" "${target}")
    foreach(link IN LISTS shared_links)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "${shared_file}" "${to}/${link}")
    endforeach()
endfunction()

function(publish_static)
    set(source "${from}/libblosc2.a")
    set(target "${to}/${static_file}")
    is_current("${target}" "${source}")
    if(current)
        return()
    endif()
    set(merged "${to}/libblosc2.merged.o")
    public_names("${from}/libblosc2.so")
    string(REPLACE ";" "\n" lines "${names}")
    file(WRITE "${to}/libblosc2.names" "${lines}\n")
    string(REPLACE ";" "\n-u " lines "-u ${names}")
    file(WRITE "${to}/libblosc2.roots" "${lines}\n")
    # One relocatable object with what the public names need. Section groups are dissolved: their signatures are about to
    # become local names, by which another object's group of the same name could no longer be recognised.
    run("${linker}" -r --gc-sections "@${to}/libblosc2.roots" --force-group-allocation --whole-archive "${source}" -o "${merged}")
    # The bitcode sections of the standard library serve nobody here, and make `ar` abort where an LLVM plugin older than
    # rustc's LLVM is installed.
    run("${objcopy}" ${strip_debug} "--keep-global-symbols=${to}/libblosc2.names"
        --remove-section=.llvmbc --remove-section=.llvmcmd --remove-section=.llvm_addrsig "${merged}")
    file(REMOVE "${target}")
    run("${ar}" crsD "${target}" "${merged}")
    file(REMOVE "${merged}")
endfunction()

set(strip_debug "")
if(NOT keep_debug)
    set(strip_debug --strip-debug)
endif()
file(MAKE_DIRECTORY "${to}")
publish_shared()
publish_static()
