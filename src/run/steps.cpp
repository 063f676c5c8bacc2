#include <algorithm>

#include <actio/run/steps.hpp>

namespace actio::run {

bool Steps::append(double h, long count) {
  if (entries_.empty() || entries_.back().h != h) {
    if (static_cast<long>(entries_.size()) >= most_changes) return false;
    entries_.push_back({h, length_, period_});
  }
  length_ += count;
  period_.add_product(static_cast<double>(count), h);
  return true;
}

void Steps::truncate(long count) {
  if (count >= length_ || count < 1) return;
  const Entry& last = entry(count - 1);
  period_ = last.before;
  period_.add_product(static_cast<double>(count - last.first), last.h);
  length_ = count;
  while (entries_.back().first >= count) entries_.pop_back();
}

const Steps::Entry& Steps::entry(long k) const {
  const auto after = [](long step, const Entry& e) { return step < e.first; };
  return *std::prev(std::upper_bound(entries_.begin(), entries_.end(), k, after));
}

long Steps::change_after(long k) const {
  if (equal()) return std::numeric_limits<long>::max();
  const Entry* next = &entry(k % length_) + 1;
  const long end = next == entries_.data() + entries_.size() ? length_ : next->first;
  return k + end - k % length_;
}

double Steps::time(double start, long k) const {
  if (equal()) return start + first() * static_cast<double>(k);
  const long cycles = k / length_;
  const Entry& e = entry(k % length_);
  core::Sum t{start, 0};
  t.add_product(static_cast<double>(cycles), period_.high);
  t.low += static_cast<double>(cycles) * period_.low;
  t.add(e.before);
  t.add_product(static_cast<double>(k % length_ - e.first), e.h);
  return t.value();
}

double Steps::smallest() const {
  double h = first();
  for (const Entry& e : entries_) h = std::min(h, e.h);
  return h;
}

double Steps::largest() const {
  double h = first();
  for (const Entry& e : entries_) h = std::max(h, e.h);
  return h;
}

long Steps::different() const {
  std::vector<double> sizes;
  sizes.reserve(entries_.size());
  for (const Entry& e : entries_) sizes.push_back(e.h);
  std::sort(sizes.begin(), sizes.end());
  return std::unique(sizes.begin(), sizes.end()) - sizes.begin();
}

bool operator==(const Steps& a, const Steps& b) {
  return std::equal(a.entries_.begin(), a.entries_.end(), b.entries_.begin(), b.entries_.end(),
                    [](const auto& x, const auto& y) { return x.h == y.h && x.first == y.first; }) &&
         (a.equal() || a.length_ == b.length_);
}

}  // namespace actio::run
