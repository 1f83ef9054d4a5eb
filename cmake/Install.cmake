# The install tree: libraries, headers, lib/cmake/Blosc2, lib/pkgconfig/blosc2.pc.

include(CMakePackageConfigHelpers)

set(Blosc2_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/Blosc2" CACHE STRING "Where Blosc2Config.cmake goes")
mark_as_advanced(Blosc2_INSTALL_CMAKEDIR)

if(BUILD_SHARED)
    if(CMAKE_INSTALL_SO_NO_EXE)
        install(FILES "${BLOSC2_LIBRARY_DIR}/${BLOSC2_SHARED_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT LIB)
    else()
        install(PROGRAMS "${BLOSC2_LIBRARY_DIR}/${BLOSC2_SHARED_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT LIB)
    endif()
    install(FILES "${BLOSC2_LIBRARY_DIR}/libblosc2.so.${BLOSC2_SOVERSION}"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT LIB)
    install(FILES "${BLOSC2_LIBRARY_DIR}/libblosc2.so" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT DEV)
endif()
if(BUILD_STATIC)
    install(FILES "${BLOSC2_LIBRARY_DIR}/${BLOSC2_STATIC_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT DEV)
endif()
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT DEV
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")

configure_package_config_file(cmake/Blosc2Config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/Blosc2Config.cmake"
    INSTALL_DESTINATION "${Blosc2_INSTALL_CMAKEDIR}"
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/Blosc2ConfigVersion.cmake"
    VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/Blosc2Config.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/Blosc2ConfigVersion.cmake"
    DESTINATION "${Blosc2_INSTALL_CMAKEDIR}" COMPONENT DEV)

# blosc2.pc finds its prefix from its own place, so that the tree can be moved; absolute folders cannot, and stay as given.
set(pkgconfig_folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
    set(pc_libdir "${CMAKE_INSTALL_LIBDIR}")
else()
    file(RELATIVE_PATH upwards "/${pkgconfig_folder}" "/")
    string(REGEX REPLACE "/$" "" upwards "${upwards}")
    set(pc_prefix "\${pcfiledir}/${upwards}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_includedir "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
string(REPLACE ";" " -l" pc_libs_private "-lpthread;${BLOSC2_SYSTEM_LIBRARIES}")
configure_file(cmake/blosc2.pc.in "${CMAKE_CURRENT_BINARY_DIR}/blosc2.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/blosc2.pc" DESTINATION "${pkgconfig_folder}" COMPONENT DEV)
