# Has the command `tool` write its manual pages to `to`/man, and the completions of shells beside them.

function(run)
    execute_process(COMMAND "${tool}" ${ARGN} RESULT_VARIABLE result)
    if(result)
        message(FATAL_ERROR "${tool} ${ARGN}: ${result}")
    endif()
endfunction()

file(REMOVE_RECURSE "${to}")
run(man --dir "${to}/man")
foreach(shell bash zsh fish)
    run(completions ${shell} OUTPUT_FILE "${to}/b2.${shell}")
endforeach()
