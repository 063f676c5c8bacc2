# cmake --install: headers, library, program, examples, man page, completion, and the package that find_package(actio) reads.
# Components, each a Debian package: program, c (the C interface's shared library), development.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/actio)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

# A first run builds the program alone, and few families of methods. What else is installed is built now.
if(NOT ACTIO_FAMILIES STREQUAL "ALL")
  install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -DACTIO_FAMILIES=ALL \"${CMAKE_BINARY_DIR}\"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
endif()
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target actio actio_c $<TARGET_NAME_IF_EXISTS:actio_cli>
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)")
install(TARGETS actio EXPORT actioTargets)
install(TARGETS actio_c EXPORT actioTargets LIBRARY COMPONENT c NAMELINK_COMPONENT development)
if(TARGET actio_cli)
  set_target_properties(actio_cli PROPERTIES EXPORT_NAME cli)
  install(TARGETS actio_cli EXPORT actioTargets RUNTIME COMPONENT program)
  # The man page is what the program prints, once it is built.
  install(CODE "execute_process(COMMAND sh -c \"'${PROJECT_SOURCE_DIR}/tools/man_page' '$<TARGET_FILE:actio_cli>' >actio.1 && gzip -9nf actio.1\"
    WORKING_DIRECTORY \"${PROJECT_BINARY_DIR}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  install(FILES ${PROJECT_BINARY_DIR}/actio.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  set(completion cli/completion)
  install(FILES ${completion}/actio.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME actio COMPONENT program)
  install(FILES ${completion}/_actio DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
  install(FILES ${completion}/actio.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/actio COMPONENT program PATTERN notebooks EXCLUDE PATTERN __pycache__ EXCLUDE
  PATTERN "*.h5" EXCLUDE)
install(DIRECTORY include/actio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT actioTargets NAMESPACE actio:: DESTINATION ${package_dir})
if(TARGET actio_petsc)
  # Minutes: only where it was built. actioConfig.cmake has the component petsc where its library is.
  install(TARGETS actio_petsc EXPORT actioPetscTargets OPTIONAL)
  if(TARGET actio_petsc_cli)
    install(TARGETS actio_petsc_cli OPTIONAL)
  endif()
  install(DIRECTORY petsc/include/actio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT actioPetscTargets NAMESPACE actio:: DESTINATION ${package_dir})
endif()
configure_package_config_file(cmake/actioConfig.cmake.in ${PROJECT_BINARY_DIR}/actioConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/actioConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/actioConfig.cmake ${PROJECT_BINARY_DIR}/actioConfigVersion.cmake
  cmake/FindMETIS.cmake cmake/FindSuiteSparse.cmake cmake/FindSUNDIALS.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# pkg-config: actio for C++, actio_c for C.
function(actio_pkg_config name)
  cmake_path(SET there NORMALIZE "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  cmake_path(RELATIVE_PATH there BASE_DIRECTORY /prefix OUTPUT_VARIABLE inside)
  string(REGEX REPLACE "[^/]+" ".." prefix_from_pc "${inside}")
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
if(ACTIO_NATIVE)
  set(native_flag -march=native)
else()
  set(native_flag)
endif()
set(private_libraries ${HDF5_C_LIBRARIES})
list(FILTER private_libraries INCLUDE REGEX /libhdf5)
foreach(target SUNDIALS::cvode SuiteSparse::SuiteSparse METIS::METIS)
  get_target_property(libraries ${target} INTERFACE_LINK_LIBRARIES)
  list(APPEND private_libraries ${libraries})
endforeach()
list(APPEND private_libraries ${LAPACK_LIBRARIES} -lpugixml -lz -ltbb -pthread ${CMAKE_DL_LIBS})
list(TRANSFORM private_libraries REPLACE "^([A-Za-z].*)" "-l\\1")
string(JOIN " " private_libraries ${private_libraries})
set(suitesparse_flags -I${SuiteSparse_INCLUDE_DIR})
actio_pkg_config(actio)
actio_pkg_config(actio_c)
