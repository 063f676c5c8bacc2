# cpack, as tools/deb runs it: Debian packages of what cmake --install installs. actio is the program, libactio-c0.1 the shared
# library of the C interface, libactio-dev what C++ and C programs are compiled with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/dist)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL c development program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(NOT DEFINED CPACK_DEBIAN_PACKAGE_VERSION)  # tools/deb gives it
  set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION})
endif()
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/files.cmake)
set(about "Actio steps mechanical systems by variational integrators, and measures after
each run what it conserved: energy, momenta, the symplectic form. A problem
file says what the system is, where it starts, which method steps it, and how
long.")

set(c_package libactio-c${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME actio)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "variational time integrators, with a certificate
${about}
.
This package has the program actio with its examples. Energies are compiled
where there is a C compiler, else interpreted.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gcc, libc6-dev")

set(CPACK_DEBIAN_C_PACKAGE_NAME ${c_package})
set(CPACK_DEBIAN_C_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_C_DESCRIPTION "variational time integrators - C interface
${about}
.
This package has the shared library of the C interface, for codes that assemble
their own forces.")
set(CPACK_DEBIAN_C_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)

# What a program that links the library needs is what Actio is built with, but for the headers that it uses inside.
file(STRINGS actio words REGEX "lib[a-z]+.*-dev|zlib1g-dev" LIMIT_COUNT 2)
string(REGEX MATCHALL "[a-z0-9]+-dev" build_packages "${words}")
list(REMOVE_ITEM build_packages libcli11-dev libtomlplusplus-dev)
list(JOIN build_packages ", " build_packages)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libactio-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "variational time integrators - development files
${about}
.
This package has the headers, the static library, and the files for CMake's
find_package and for pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${c_package} (= ${CPACK_DEBIAN_PACKAGE_VERSION}), ${build_packages}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "actio (= ${CPACK_DEBIAN_PACKAGE_VERSION})")
include(CPack)
