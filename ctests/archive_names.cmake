# Fails unless the names that `archive` defines for others are the ones that `shared` exports.

function(names_of file result)
    execute_process(COMMAND "${nm}" ${ARGN} --defined-only --format=posix "${file}"
        OUTPUT_VARIABLE output RESULT_VARIABLE status ERROR_QUIET)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${nm} cannot read ${file}")
    endif()
    string(REGEX MATCHALL "[^\n]+" lines "${output}")
    # `archive[member]:` heads each member of an archive.
    list(FILTER lines EXCLUDE REGEX ":$")
    list(TRANSFORM lines REPLACE "[ @].*" "")
    list(SORT lines)
    set(${result} "${lines}" PARENT_SCOPE)
endfunction()

names_of("${archive}" in_archive --extern-only)
names_of("${shared}" in_shared --dynamic)
if(NOT in_archive STREQUAL in_shared)
    set(strangers ${in_archive})
    list(REMOVE_ITEM strangers ${in_shared})
    set(missing ${in_shared})
    list(REMOVE_ITEM missing ${in_archive})
    message(FATAL_ERROR "Only in the archive: ${strangers}\nOnly in the shared library: ${missing}")
endif()
list(LENGTH in_archive count)
message("${count} names, the same in both")
