#include <sortie/cuda/device_top_k.hpp>

#include <initializer_list>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "kernels/common/scratch_layout.hpp"
#include "kernels/float_values.hpp"
#include "kernels/radix_select.hpp"
#include "kernels/sample_select.hpp"

namespace sortie::cuda {
namespace {

/// Calls use(Bits{}, Position{}), unsigned integers of these sizes.
template <class Use>
auto with_sizes(std::size_t key_bytes, std::size_t position_bytes, const Use& use) {
  const auto with_position = [&](auto bits) {
    return position_bytes == 4 ? use(bits, std::uint32_t{}) : use(bits, std::uint64_t{});
  };
  switch (key_bytes) {
    case 1:
      return with_position(std::uint8_t{});
    case 2:
      return with_position(std::uint16_t{});
    case 4:
      return with_position(std::uint32_t{});
    default:
      return with_position(std::uint64_t{});
  }
}

/// How the first items are found, whichever is fastest.
enum class TopMethod : std::uint8_t {
  kBySample,     ///< few are selected, and sorted as they are
  kByRadix,      ///< they are selected by digits, then sorted
  kBySortOfAll,  ///< a large part is asked for
};

TopMethod top_method(KeyType type, std::size_t position_bytes, std::uint64_t count, std::uint64_t k) {
  constexpr std::uint64_t kLargePart = 4;
  return with_sizes(bytes_of(type), position_bytes, [&]<class Bits, class Position>(Bits, Position) {
    if (kernels::can_sample_select<Bits, Position>(count, k)) return TopMethod::kBySample;
    return k > count / kLargePart ? TopMethod::kBySortOfAll : TopMethod::kByRadix;
  });
}

std::uint64_t select_bytes(TopMethod method, KeyType type, std::size_t position_bytes, std::uint64_t count,
                           std::uint64_t k) {
  if (method == TopMethod::kBySortOfAll) return 0;
  return with_sizes(bytes_of(type), position_bytes, [&]<class Bits, class Position>(Bits, Position) {
    if (method == TopMethod::kBySample) return kernels::sample_select_scratch_bytes<Bits, Position>(count, k);
    return kernels::radix_select_scratch_bytes<Bits, Position>(count, k);
  });
}

std::uint64_t sort_bytes_of(TopMethod method, KeyType type, std::size_t position_bytes, std::uint64_t count,
                            std::uint64_t k) {
  if (method == TopMethod::kBySample) return 0;
  if (method == TopMethod::kBySortOfAll) return sort_with_positions_scratch_bytes(type, position_bytes, count);
  return radix_sort_scratch_bytes(in_total_order(type), position_bytes, k);
}

/// Scratch of the selection, and of the sort of what was selected or of copies of all items.
struct TopScratch {
  TopScratch(KeyType type, std::size_t position_bytes, std::uint64_t count, std::uint64_t k, void* area = nullptr)
      : layout(area),
        method(top_method(type, position_bytes, count, k)),
        sort_bytes(sort_bytes_of(method, type, position_bytes, count, k)) {
    const std::uint64_t copied = method == TopMethod::kBySortOfAll ? count : 0;
    select = layout.take<std::byte>(select_bytes(method, type, position_bytes, count, k));
    keys = layout.take<std::byte>(copied * bytes_of(type));
    positions = layout.take<std::byte>(copied * position_bytes);
    sort = layout.take<std::byte>(sort_bytes);
  }

  kernels::ScratchLayout layout;
  TopMethod method;
  std::byte* select;
  std::byte* keys;
  std::byte* positions;
  std::byte* sort;
  std::uint64_t sort_bytes;
};

/// A selection of keys of any type. Precondition: arguments are right.
struct TopCall {
  const ConstKeys& keys;
  std::uint64_t count;
  std::uint64_t k;
  const Keys& top_keys;
  const Positions& top_positions;
  Order order;
  TopMethod method;
  void* scratch;
  cudaStream_t stream;

  template <class Bits, class Position, class Codec>
  void select(const Codec& codec) const {
    const auto* const bits = static_cast<const Bits*>(keys.data);
    auto* const top_bits = static_cast<Bits*>(top_keys.data);
    auto* const positions = static_cast<Position*>(top_positions.data);
    if (method == TopMethod::kBySample) {
      kernels::sample_select(bits, count, codec, k, top_bits, positions, scratch, stream);
    } else {
      kernels::radix_select(bits, count, codec, k, top_bits, positions, scratch, stream);
    }
  }

  void select() const {
    const auto select_by = [&]<class Bits>(const auto& codec) {
      if (top_positions.bytes == 4) return select<Bits, std::uint32_t>(codec);
      select<Bits, std::uint64_t>(codec);
    };
    if (is_by_value(keys.type)) return with_value_codec(keys.type, order, select_by);
    with_key_codec(keys.type, order, select_by);
  }
};

void sort_all(const ConstKeys& keys, std::uint64_t count, std::uint64_t k, const Keys& top_keys,
              const Positions& top_positions, Order order, const TopScratch& scratch, cudaStream_t stream) {
  require_ok(sort_with_positions(keys, Keys(scratch.keys, keys.type), Positions(scratch.positions, top_positions.bytes),
                                 count, order, Scratch(scratch.sort, scratch.sort_bytes), stream));
  copy_within_device(top_keys.data, scratch.keys, k * bytes_of(keys.type), stream);
  copy_within_device(top_positions.data, scratch.positions, k * top_positions.bytes, stream);
}

void select_and_sort(const ConstKeys& keys, std::uint64_t count, std::uint64_t k, const Keys& top_keys,
                     const Positions& top_positions, Order order, const TopScratch& scratch, cudaStream_t stream) {
  TopCall{keys, count, k, top_keys, top_positions, order, scratch.method, scratch.select, stream}.select();
  if (scratch.method == TopMethod::kBySample) return;
  require_ok(radix_sort(Keys(top_keys.data, in_total_order(top_keys.type)),
                        Values(top_positions.data, top_positions.bytes), k, order,
                        Scratch(scratch.sort, scratch.sort_bytes), stream));
}

/// The same of floats by value: those of one value come with the same bits, and get their own then.
void select_by_value(const ConstKeys& keys, std::uint64_t count, std::uint64_t k, const Keys& top_keys,
                     const Positions& top_positions, Order order, const TopScratch& scratch, cudaStream_t stream) {
  select_and_sort(keys, count, k, top_keys, top_positions, order, scratch, stream);
  with_sizes(bytes_of(keys.type), top_positions.bytes, [&]<class Bits, class Position>(Bits, Position) {
    kernels::gather_float_bits(float_format(keys.type), keys.data, static_cast<const Position*>(top_positions.data), k,
                               top_keys.data, stream);
  });
}

}  // namespace

std::size_t top_k_scratch_bytes(KeyType key_type, std::size_t position_bytes, std::uint64_t count,
                                std::uint64_t k) noexcept {
  return TopScratch(key_type, position_bytes, count, k).layout.size_bytes();
}

Status top_k(ConstKeys keys, std::uint64_t count, std::uint64_t k, Keys top_keys, Positions top_positions, Order order,
             Scratch scratch, cudaStream_t stream) noexcept {
  return answer([&] {
    require_any_order(keys.type);
    require(top_keys.type == keys.type, "keys and top keys are of different types");
    require_order(order);
    require_count(count);
    require(k <= count, "more items are asked for than there are: k must be at most count");
    require_positions(top_positions, count);
    const std::uint64_t key_bytes = bytes_of(keys.type);
    const std::initializer_list<ArrayArgument> arrays{
        read_only("keys", keys.data, count * key_bytes, static_cast<unsigned>(key_bytes)),
        {"top keys", top_keys.data, k * key_bytes},
        {"top positions", top_positions.data, k * top_positions.bytes}};
    require_arrays(arrays);
    if (k == 0) return;
    const ScratchLease lease(scratch, top_k_scratch_bytes(keys.type, top_positions.bytes, count, k), arrays, stream);
    const TopScratch areas(keys.type, top_positions.bytes, count, k, lease.memory());
    if (areas.method == TopMethod::kBySortOfAll) {
      return sort_all(keys, count, k, top_keys, top_positions, order, areas, stream);
    }
    const auto select = is_by_value(keys.type) ? select_by_value : select_and_sort;
    select(keys, count, k, top_keys, top_positions, order, areas, stream);
  });
}

}  // namespace sortie::cuda
