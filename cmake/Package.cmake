# CPack: archives and Debian packages of what is installed, one for each component: the library (LIB), what programs are built
# with (DEV), the command (TOOL).
#
# The packages have names of their own, and say that they stand in for the C library's (Provides) and cannot be beside them
# (Conflicts). Without Replaces dpkg refuses to take those away for ours, and apt says what it would remove.

file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/Cargo.toml" crate_version REGEX "^version = " LIMIT_COUNT 1)
string(REGEX REPLACE "^version = \"(.*)\"$" "\\1" crate_version "${crate_version}")

set(CPACK_PACKAGE_NAME oxiblosc2)
set(CPACK_PACKAGE_VERSION "${crate_version}")
set(CPACK_PACKAGE_VENDOR "oxiblosc2")
set(CPACK_PACKAGE_CONTACT "oxiblosc2 <oxiblosc2@localhost>" CACHE STRING "Who makes these packages: name and address")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compressed, chunked, n-dimensional data in memory and on disk")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/packages")
set(CPACK_STRIP_FILES OFF)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL DEV)
if(BUILD_SHARED)
    list(APPEND CPACK_COMPONENTS_ALL LIB)
endif()
if(BUILD_TOOL)
    list(APPEND CPACK_COMPONENTS_ALL TOOL)
endif()

set(CPACK_GENERATOR TGZ)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(archive_name "oxiblosc2-${crate_version}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_ARCHIVE_LIB_FILE_NAME "${archive_name}-runtime")
set(CPACK_ARCHIVE_DEV_FILE_NAME "${archive_name}-dev")
set(CPACK_ARCHIVE_TOOL_FILE_NAME "${archive_name}-tool")

find_program(DPKG_DEB dpkg-deb)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(DPKG_DEB DPKG_SHLIBDEPS)
if(DPKG_DEB)
    list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# The library: named for its soname, as Debian does.
set(runtime_package "liboxiblosc2-${BLOSC2_SOVERSION}")
set(CPACK_COMPONENT_LIB_DESCRIPTION "The shared library, with the interface and the soname of the C library libblosc2.")
set(CPACK_DEBIAN_LIB_PACKAGE_NAME "${runtime_package}")
set(CPACK_DEBIAN_LIB_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIB_PACKAGE_PROVIDES "libblosc2-${BLOSC2_SOVERSION} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_LIB_PACKAGE_CONFLICTS "libblosc2-${BLOSC2_SOVERSION}")

set(CPACK_COMPONENT_DEV_DESCRIPTION
    "Headers for C and C++, the static library, files for CMake and pkg-config, and examples.")
if(BUILD_SHARED)
    set(CPACK_COMPONENT_DEV_DEPENDS LIB)
endif()
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liboxiblosc2-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libc6-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_PROVIDES "libblosc2-dev (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEV_PACKAGE_CONFLICTS libblosc2-dev)

# Boost's build tool is a /usr/bin/b2 too.
set(CPACK_COMPONENT_TOOL_DESCRIPTION "The command b2, which looks into Blosc2 frames, mends and makes them.")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME oxiblosc2-tool)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_CONFLICTS "libboost1.74-tools-dev, libboost1.81-tools-dev, libboost1.83-tools-dev, libboost1.88-tools-dev")

# What the binaries ask of the system, by their symbols; and what packages of programs that link the library are to depend on.
if(DPKG_SHLIBDEPS)
    set(CPACK_DEBIAN_LIB_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
endif()

# Policy wants the licence in every package, under its name.
if(BUILD_SHARED)
    install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/${runtime_package}" RENAME copyright COMPONENT LIB)
endif()
install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/liboxiblosc2-dev" RENAME copyright COMPONENT DEV)
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/examples"
    DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/liboxiblosc2-dev" COMPONENT DEV
    PATTERN "__pycache__" EXCLUDE PATTERN "node_modules" EXCLUDE)
if(BUILD_TOOL)
    install(FILES "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE"
        DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/doc/oxiblosc2-tool" RENAME copyright COMPONENT TOOL)
endif()

include(CPack)
