#include "bench/select_tuning/select_tuning.hpp"
#include "kernels/common/key_codec.hpp"
#include "kernels/select/set_operation.cuh"

namespace sortie::bench {
namespace {

template <class Bits, class Shape>
SetVariant<Bits> set_variant() {
  return {"sets " + std::to_string(Shape::kThreads) + "x" + std::to_string(Shape::kItems) + " blocks " +
              std::to_string(Shape::kBlocks) + " rows " + std::to_string(Shape::kRows),
          [](kernels::SetSelection selection, const auto& first, const auto& second, const auto& out, void* scratch,
             cudaStream_t s) {
            const kernels::SetOperands<Bits, kernels::KeyCodec<Bits>> set{
                kernels::kept_kinds(selection), first, second, {}, out, first.count + second.count, {}, 0, nullptr, {}};
            kernels::launch_set_operation<Shape, false>(set, scratch, s);
          }};
}

}  // namespace

using kernels::SetShape;

std::vector<SetVariant<std::uint32_t>> set_variants_32() {
  using Bits = std::uint32_t;
  return {set_variant<Bits, SetShape<512, 15, 3, 1>>(), set_variant<Bits, SetShape<512, 23, 2, 1>>(),
          set_variant<Bits, SetShape<512, 31, 2, 1>>(), set_variant<Bits, SetShape<256, 31, 4, 1>>(),
          set_variant<Bits, SetShape<512, 27, 2, 1>>(), set_variant<Bits, SetShape<256, 23, 4, 1>>()};
}

std::vector<SetVariant<std::uint64_t>> set_variants_64() {
  using Bits = std::uint64_t;
  return {set_variant<Bits, SetShape<512, 11, 2, 1>>(), set_variant<Bits, SetShape<512, 13, 2, 1>>(),
          set_variant<Bits, SetShape<256, 15, 3, 1>>()};
}

}  // namespace sortie::bench
