# What the library links. actioConfig.cmake.in finds the same again for a program that links an installed Actio.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)
set(HDF5_PREFER_PARALLEL OFF)
find_package(HDF5 REQUIRED COMPONENTS C)
if(HDF5_IS_PARALLEL)
  message(WARNING "This HDF5 is built for MPI; Actio needs the serial one (Debian: libhdf5-dev)")
endif()
find_package(SUNDIALS REQUIRED)
set(suitesparse_parts)
if(ACTIO_GPL)
  set(suitesparse_parts cholmod)
endif()
find_package(SuiteSparse REQUIRED COMPONENTS ${suitesparse_parts})

# Header-only, inside the library and the program.
find_package(CLI11 REQUIRED)
find_path(TOMLPP_INCLUDE_DIR toml++/toml.h REQUIRED)
