#pragma once
#include <actio/method/catalogue/accelerations.hpp>
#include <actio/method/catalogue/comparison.hpp>
#include <actio/method/catalogue/energy_momentum.hpp>
#include <actio/method/catalogue/following.hpp>
#include <actio/method/catalogue/galerkin.hpp>
#include <actio/method/catalogue/lie_group.hpp>
#include <actio/method/catalogue/linearly_implicit.hpp>
#include <actio/method/catalogue/minimising.hpp>
#include <actio/method/catalogue/split.hpp>
#include <actio/method/catalogue/splitting.hpp>
#include <actio/method/catalogue/takahashi_imada.hpp>
#include <actio/method/catalogue/variational.hpp>
#include <type_traits>
#include <variant>

// The methods. There is no other list of them.
namespace actio::method {

template <Method... M>
using OneOf = std::variant<M...>;

using AnyMethod = OneOf<Newmark, GeneralizedAlpha, Hht, Wbz, Wilson, CentralDifference, Verlet, SymplecticEuler, Variational,
                        Midpoint, Gauss, Lobatto, RungeKutta4, CvodeAdams, McLachlanAtela, TakahashiImada, MinimisingNewmark,
                        TwoStep, Rattle, Shake, ZhangSkeel, ZhangSkeelSimplified, ZhangSkeelStiff, PushForwardNewmark, LieGroup,
                        EnergyMomentum, WisdomHolman, Saba, Sbab, Aba, LogHamiltonian, SymplecticEnergyMomentum>;

// Calls f(std::type_identity<Newmark>{}) and so on for every method, in the order of `actio list`.
template <class F>
void for_each_method(F&& f) {
  []<class... M>(std::type_identity<std::variant<M...>>, auto& call) { (call(std::type_identity<M>{}), ...); }(
      std::type_identity<AnyMethod>{}, f);
}

}  // namespace actio::method
