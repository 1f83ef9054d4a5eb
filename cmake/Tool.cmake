# The command b2, with its manual and what shells complete its command lines by, which it writes itself.

set(BLOSC2_TOOL_PAGES "${CMAKE_CURRENT_BINARY_DIR}/tool")
if(NOT CMAKE_CROSSCOMPILING AND NOT BLOSC2_RUST_TARGET)
    set(BLOSC2_HAVE_TOOL_PAGES ON)
    add_custom_target(blosc2_tool_pages ALL
        COMMAND ${CMAKE_COMMAND} "-Dtool=${BLOSC2_TOOL}" "-Dto=${BLOSC2_TOOL_PAGES}"
            -P "${CMAKE_CURRENT_SOURCE_DIR}/cmake/ToolPages.cmake"
        COMMENT "Writing the manual of b2"
        VERBATIM)
    add_dependencies(blosc2_tool_pages blosc2_cargo)
else()
    # What is built for another machine does not run on this one.
    set(BLOSC2_HAVE_TOOL_PAGES OFF)
endif()

if(BLOSC_INSTALL)
    install(PROGRAMS "${BLOSC2_TOOL}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT TOOL)
    if(BLOSC2_HAVE_TOOL_PAGES)
        install(DIRECTORY "${BLOSC2_TOOL_PAGES}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT TOOL)
        install(FILES "${BLOSC2_TOOL_PAGES}/b2.bash"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions" RENAME b2 COMPONENT TOOL)
        install(FILES "${BLOSC2_TOOL_PAGES}/b2.zsh"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions" RENAME _b2 COMPONENT TOOL)
        install(FILES "${BLOSC2_TOOL_PAGES}/b2.fish"
            DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d" COMPONENT TOOL)
    endif()
endif()
