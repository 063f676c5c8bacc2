# The parts of SuiteSparse that Actio uses: AMD, LDL, COLAMD, BTF, KLU (BSD or LGPL), and with COMPONENTS cholmod CHOLMOD, whose
# supernodal module is under the GPL.
# Target: SuiteSparse::SuiteSparse
include(FindPackageHandleStandardArgs)
find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(_libraries)
set(_needed SuiteSparse_INCLUDE_DIR)
foreach(_name ${SuiteSparse_FIND_COMPONENTS} klu ldl btf colamd amd suitesparseconfig)
  find_library(SuiteSparse_${_name}_LIBRARY ${_name})
  list(APPEND _libraries ${SuiteSparse_${_name}_LIBRARY})
  list(APPEND _needed SuiteSparse_${_name}_LIBRARY)
endforeach()
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS ${_needed})
if(SuiteSparse_FOUND AND NOT TARGET SuiteSparse::SuiteSparse)
  add_library(SuiteSparse::SuiteSparse INTERFACE IMPORTED)
  target_include_directories(SuiteSparse::SuiteSparse SYSTEM INTERFACE ${SuiteSparse_INCLUDE_DIR})
  target_link_libraries(SuiteSparse::SuiteSparse INTERFACE ${_libraries})
endif()
