# Puts the command `tool` in the folder `to`, without what only debuggers read unless `keep_debug`, and with `pages` has it
# write its manual and the completions of shells there.

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
    if(result)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}: ${result}")
    endif()
endfunction()

file(REMOVE_RECURSE "${to}")
file(MAKE_DIRECTORY "${to}")
if(keep_debug)
    file(COPY "${tool}" DESTINATION "${to}")
else()
    run("${objcopy}" --strip-debug "${tool}" "${to}/b2")
endif()
if(pages)
    run("${tool}" man --dir "${to}/man")
    foreach(shell bash zsh fish)
        run("${tool}" completions ${shell} OUTPUT_FILE "${to}/b2.${shell}")
    endforeach()
endif()
