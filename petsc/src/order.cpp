#include <actio/petsc/access.hpp>
#include <actio/petsc/order.hpp>
#include <algorithm>

namespace actio::petsc {
namespace {

constexpr const char* name = "actio_order";
using Numbers = std::vector<PetscInt>;

PetscErrorCode destroy(void* order) {
  delete static_cast<Numbers*>(order);
  return 0;
}

const Numbers* order_of(Vec x) {
  PetscObject container = nullptr;
  void* order = nullptr;
  check(PetscObjectQuery(reinterpret_cast<PetscObject>(x), name, &container));
  if (container) check(PetscContainerGetPointer(reinterpret_cast<PetscContainer>(container), &order));
  return static_cast<const Numbers*>(order);
}

}  // namespace

// PETSc hands the container on to duplicates, and the last of them destroys it.
void keep_order(Vector& x, const Numbers& number) {
  Handle<PetscContainer, PetscContainerDestroy> container;
  check(PetscContainerCreate(PetscObjectComm(reinterpret_cast<PetscObject>(x.get())), container.out()));
  check(PetscContainerSetPointer(container.get(), new Numbers(number)));
  check(PetscContainerSetUserDestroy(container.get(), destroy));
  check(PetscObjectCompose(reinterpret_cast<PetscObject>(x.get()), name, reinterpret_cast<PetscObject>(container.get())));
}

void Vector::archive(core::Archive& a) {
  const Numbers* const order = v_ ? order_of(get()) : nullptr;
  PetscInt begin = 0, end = 0;
  if (v_) check(VecGetOwnershipRange(get(), &begin, &end));
  std::vector<double> numbers(order ? order->size() : static_cast<std::size_t>(end - begin));
  if (v_ && !a.reading()) {
    if (order) {
      const std::vector<double> by_rank = gathered(*this);
      std::transform(order->begin(), order->end(), numbers.begin(),
                     [&](PetscInt k) { return by_rank[static_cast<std::size_t>(k)]; });
    } else {
      const double* data = nullptr;
      check(VecGetArrayRead(get(), &data));
      numbers.assign(data, data + (end - begin));
      check(VecRestoreArrayRead(get(), &data));
    }
  }
  const std::size_t size = numbers.size();
  a(numbers);
  if (!a.reading()) return;
  if (numbers.size() != size) throw core::InputError("the saved state has another layout");
  if (!v_) return;
  double* data = nullptr;
  check(VecGetArrayWrite(get(), &data));
  if (order) {
    for (std::size_t i = 0; i < size; ++i)
      if (const PetscInt k = (*order)[i]; k >= begin && k < end) data[k - begin] = numbers[i];
  } else {
    std::copy(numbers.begin(), numbers.end(), data);
  }
  check(VecRestoreArrayWrite(get(), &data));
}

}  // namespace actio::petsc
