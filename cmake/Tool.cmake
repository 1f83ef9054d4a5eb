# The command b2, with its manual and what shells complete its command lines by, which it writes itself.

set(tool_folder "${CMAKE_CURRENT_BINARY_DIR}/tool")
if(CMAKE_CROSSCOMPILING OR BLOSC2_RUST_TARGET)
    # What is built for another machine does not run on this one.
    set(BLOSC2_HAVE_TOOL_PAGES OFF)
else()
    set(BLOSC2_HAVE_TOOL_PAGES ON)
endif()

add_custom_target(blosc2_tool ALL
    COMMAND ${CMAKE_COMMAND} "-Dtool=${BLOSC2_TOOL}" "-Dto=${tool_folder}" "-Dpages=${BLOSC2_HAVE_TOOL_PAGES}"
        "-Dkeep_debug=$<OR:$<CONFIG:Debug>,$<CONFIG:RelWithDebInfo>>" "-Dobjcopy=${CMAKE_OBJCOPY}"
        -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/PublishTool.cmake"
    COMMENT "Publishing the command b2"
    VERBATIM)
add_dependencies(blosc2_tool blosc2_cargo)

if(BLOSC_INSTALL)
    install(PROGRAMS "${tool_folder}/b2" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT TOOL)
    if(BLOSC2_HAVE_TOOL_PAGES)
        install(DIRECTORY "${tool_folder}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT TOOL)
        install(FILES "${tool_folder}/b2.bash"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions" RENAME b2 COMPONENT TOOL)
        install(FILES "${tool_folder}/b2.zsh"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions" RENAME _b2 COMPONENT TOOL)
        install(FILES "${tool_folder}/b2.fish"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d" COMPONENT TOOL)
    endif()
endif()
