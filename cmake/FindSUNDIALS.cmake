# The parts of SUNDIALS that Actio uses: CVODE with serial vectors. The package's own configuration also asks for OpenMP and MPI.
# Target: SUNDIALS::cvode
include(FindPackageHandleStandardArgs)
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
find_library(SUNDIALS_cvode_LIBRARY sundials_cvode)
find_library(SUNDIALS_nvecserial_LIBRARY sundials_nvecserial)
find_library(SUNDIALS_core_LIBRARY sundials_core)  # from version 7 on
mark_as_advanced(SUNDIALS_INCLUDE_DIR SUNDIALS_cvode_LIBRARY SUNDIALS_nvecserial_LIBRARY SUNDIALS_core_LIBRARY)
find_package_handle_standard_args(SUNDIALS REQUIRED_VARS SUNDIALS_INCLUDE_DIR SUNDIALS_cvode_LIBRARY SUNDIALS_nvecserial_LIBRARY)
if(SUNDIALS_FOUND AND NOT TARGET SUNDIALS::cvode)
  add_library(SUNDIALS::cvode INTERFACE IMPORTED)
  target_include_directories(SUNDIALS::cvode SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
  target_link_libraries(SUNDIALS::cvode INTERFACE ${SUNDIALS_cvode_LIBRARY} ${SUNDIALS_nvecserial_LIBRARY}
    $<$<BOOL:${SUNDIALS_core_LIBRARY}>:${SUNDIALS_core_LIBRARY}>)
endif()
