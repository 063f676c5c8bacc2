#pragma once
#include <actio/run/ensemble_file.hpp>

namespace actio::run {

std::unique_ptr<EnsembleFile> open_ensemble_hdf5(const std::string& path, const EnsembleHeader& header, const Ensemble& ensemble);

}  // namespace actio::run
