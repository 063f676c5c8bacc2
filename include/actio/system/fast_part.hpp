#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

// H = H_fast + H_slow, where the motion of H_fast is known exactly, whatever the step. H_slow is all of the model's energy that
// H_fast is not, so a poor choice costs accuracy and never changes the system.
namespace actio::system {

struct Model;

struct FastPart {
  enum class Kind {
    kepler,  // 1/2 p'M^-1 p, and each point drawn by all inside it: -G m_i (m_0 + ... + m_(i-1))/r_i in Jacobi coordinates
    linear,  // 1/2 p'M^-1 p + 1/2 q'Kq - b'q: the stiffness matrix, and the terms with stiff = true
  };
  Kind kind = Kind::linear;
  double gravitational_constant = 0;        // [m^3/(kg s^2)], of kepler
  std::vector<std::array<long, 3>> points;  // of kepler: coordinates of each along the axes, -1 where there is no third axis;
                                            // the sun first, then from the innermost outwards
};

// What keeps the model's fast part from being one; "" where nothing does. That stiff terms are quadratic is seen by who solves
// them.
std::string why_no_fast_part(const Model& model);

inline constexpr long most_modes = 1000;                                // coordinates of a linear part
inline constexpr std::string_view fast_names[] = {"kepler", "linear"};  // of Kind, in this order

}  // namespace actio::system
