# cmake --install: headers, library, program, and the package that find_package(actio) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/actio)

install(TARGETS actio actio_c EXPORT actioTargets)
if(TARGET actio_cli)
  set_target_properties(actio_cli PROPERTIES EXPORT_NAME cli)
  install(TARGETS actio_cli EXPORT actioTargets)
endif()
install(DIRECTORY include/actio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")
install(EXPORT actioTargets NAMESPACE actio:: DESTINATION ${package_dir})
if(TARGET actio_petsc)
  install(TARGETS actio_petsc EXPORT actioPetscTargets)
  install(DIRECTORY petsc/include/actio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT actioPetscTargets NAMESPACE actio:: DESTINATION ${package_dir})
endif()
configure_package_config_file(cmake/actioConfig.cmake.in ${PROJECT_BINARY_DIR}/actioConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/actioConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/actioConfig.cmake ${PROJECT_BINARY_DIR}/actioConfigVersion.cmake
  cmake/FindSuiteSparse.cmake cmake/FindSUNDIALS.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
