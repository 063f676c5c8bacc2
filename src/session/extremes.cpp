#include <actio/session/extremes.hpp>

#include <cmath>

namespace actio::session {

Extremes::Extremes(const Session& session) {
  const io::Problem& p = session.problem;
  if (session.observables) {
    for (const run::ObservedColumn& column : session.observables->columns()) {
      found_.push_back({column.name});
      elements_.push_back(column.elements);
    }
  } else if (p.model.size() <= most_coordinates) {
    for (long i = 0; i < p.model.size(); ++i) found_.push_back({p.model.coordinate_name(i)});
  }
}

void Extremes::observe(const Eigen::Ref<const Eigen::VectorXd>& q, std::span<const double> observed) {
  std::size_t at = 0;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const long elements = elements_.empty() ? 1 : elements_[k];
    Extreme& of = found_[k];
    for (long e = 0; e < elements; ++e, ++at) {
      const double x = elements_.empty() ? q[static_cast<long>(k)] : observed[at];
      if (std::isnan(of.largest) || std::abs(x) > std::abs(of.largest)) of.largest = x;
      if (elements == 1) of.last = x;
    }
  }
}

}  // namespace actio::session
