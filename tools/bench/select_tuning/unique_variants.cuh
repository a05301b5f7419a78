#pragma once

#include "bench/select_tuning/select_tuning.hpp"
#include "kernels/select/distinct_items.cuh"
#include "kernels/select/distinct_pipeline.cuh"

namespace sortie::bench {

template <class Bits>
kernels::DistinctCall<Bits> call_of(const kernels::ListItems<Bits>& items, const kernels::KeptItems<Bits>& out) {
  return {kernels::NumberedKeys<Bits>::from(items.keys, items.count),
          items.values,
          out,
          kernels::ValueCopy::of(out.value_bytes, items.values, nullptr, out.values),
          {}};
}

template <class Bits, class Value, class Shape>
UniqueVariant<Bits> by_tiles() {
  return {"tiles " + std::to_string(Shape::kThreads) + "x" + std::to_string(Shape::kVectors) + " blocks " +
              std::to_string(Shape::kBlocks) + " rows " + std::to_string(Shape::kRows),
          kernels::kHasValue<Value> ? static_cast<unsigned>(sizeof(Value)) : 0,
          [](const auto& items, const auto& out, void* scratch, cudaStream_t s) {
            kernels::launch_distinct<Bits, Value, Shape, false>(call_of(items, out), scratch, s);
          }};
}

/// In one launch; more items than it holds are left to tiles of 512 x 4.
template <class Bits, class Value, class Shape>
UniqueVariant<Bits> few() {
  return {"few " + std::to_string(Shape::kThreads) + "x" + std::to_string(Shape::kVectors),
          kernels::kHasValue<Value> ? static_cast<unsigned>(sizeof(Value)) : 0,
          [](const auto& items, const auto& out, void* scratch, cudaStream_t s) {
            const auto call = call_of(items, out);
            if (kernels::launch_few_distinct<Bits, Value, Shape, false>(call, s)) return;
            kernels::launch_distinct<Bits, Value, kernels::DistinctShape<512, 4, 2>, false>(call, scratch, s);
          }};
}

template <class Bits, class Value, class Shape>
UniqueVariant<Bits> in_turn() {
  return {"turns " + std::to_string(Shape::kThreads) + "x" + std::to_string(Shape::kVectors) + " blocks " +
              std::to_string(Shape::kBlocks) + " rows " + std::to_string(Shape::kRows),
          kernels::kHasValue<Value> ? static_cast<unsigned>(sizeof(Value)) : 0,
          [](const auto& items, const auto& out, void* scratch, cudaStream_t s) {
            kernels::launch_distinct_in_turn<Bits, Value, Shape, false>(call_of(items, out), scratch, s);
          }};
}

}  // namespace sortie::bench
