#pragma once
#include <hdf5.h>

// HDF5's own driver of plain reads and writes, but the library is never told that a write has failed: after that neither a flush
// nor a close succeeds (1.10), its identifier stays behind, and the program crashes in the library's exit handler. Who writes
// asks here.
namespace actio::run::hdf5 {

// An access list for H5Fcreate. The caller closes it; negative where the library refuses.
hid_t careful_access();
// errno of the first write of the open file that failed since, or 0.
int failed_write(hid_t file);

}  // namespace actio::run::hdf5
