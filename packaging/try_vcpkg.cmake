# Runs vcpkg/portfile.cmake where there is no vcpkg, with functions of the same names and arguments in the place of vcpkg's:
#
#   cmake -DWORK=FOLDER [-DOPTIONS=LIST] -P packaging/try_vcpkg.cmake
#
# The package is laid out in WORK/packages. OPTIONS go to the configuration, as a triplet's would.
cmake_minimum_required(VERSION 3.16)

set(CURRENT_PORT_DIR "${CMAKE_CURRENT_LIST_DIR}/vcpkg")
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
set(VCPKG_LIBRARY_LINKAGE dynamic)
set(FEATURES zfp tool)
set(PORT oxiblosc2)
file(REMOVE_RECURSE "${WORK}")

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
    if(status)
        message(FATAL_ERROR "${ARGN}: ${status}")
    endif()
endfunction()

function(vcpkg_check_features)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_FEATURE_OPTIONS" "FEATURES")
    set(options "")
    while(arg_FEATURES)
        list(POP_FRONT arg_FEATURES feature variable)
        if(feature IN_LIST FEATURES)
            list(APPEND options "-D${variable}=ON")
        else()
            list(APPEND options "-D${variable}=OFF")
        endif()
    endwhile()
    set(${arg_OUT_FEATURE_OPTIONS} "${options}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    run("${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -DCMAKE_BUILD_TYPE=Release
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR:STRING=lib ${arg_OPTIONS} ${OPTIONS})
endfunction()

function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${WORK}/build")
    run("${CMAKE_COMMAND}" --install "${WORK}/build")
endfunction()

# vcpkg keeps configuration files one folder nearer to the prefix.
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
    string(TOLOWER "${arg_PACKAGE_NAME}" name)
    set(to "${CURRENT_PACKAGES_DIR}/share/${name}")
    file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
    file(RENAME "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${to}")
    file(READ "${to}/Blosc2Config.cmake" text)
    string(REPLACE "/../../../\" ABSOLUTE" "/../../\" ABSOLUTE" fixed "${text}")
    if(fixed STREQUAL text)
        message(FATAL_ERROR "Blosc2Config.cmake does not find its prefix in the way that vcpkg mends")
    endif()
    file(WRITE "${to}/Blosc2Config.cmake" "${fixed}")
endfunction()

function(vcpkg_fixup_pkgconfig)
    file(READ "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/blosc2.pc" text)
    if(NOT text MATCHES "^prefix=\\\${pcfiledir}/")
        message(FATAL_ERROR "blosc2.pc does not find its prefix by itself")
    endif()
endfunction()

function(vcpkg_copy_tools)
    cmake_parse_arguments(PARSE_ARGV 0 arg "AUTO_CLEAN" "" "TOOL_NAMES")
    foreach(tool IN LISTS arg_TOOL_NAMES)
        file(INSTALL "${CURRENT_PACKAGES_DIR}/bin/${tool}" DESTINATION "${CURRENT_PACKAGES_DIR}/tools/${PORT}" USE_SOURCE_PERMISSIONS)
    endforeach()
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
endfunction()

include("${CURRENT_PORT_DIR}/portfile.cmake")

foreach(file lib/libblosc2.so include/blosc2.h include/b2nd.h share/blosc2/Blosc2Config.cmake share/oxiblosc2/copyright)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${file}")
        message(FATAL_ERROR "The package has no ${file}")
    endif()
endforeach()
