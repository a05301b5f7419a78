#include <sortie/cuda/device_merge_sort.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>

#include <sortie/cuda/device_radix_sort.hpp>

#include "cuda/device_call.hpp"
#include "cuda/float_order.hpp"
#include "cuda/value_moves.hpp"
#include "kernels/merge_sort.hpp"
#include "record/fixed_key.hpp"

namespace sortie::cuda {
namespace {

/// Key plans count in 32 bits.
constexpr std::uint64_t kMostRecordBytes = std::numeric_limits<std::uint32_t>::max();

/// Fewer numbers than these are left to the radix sort, which has the same result: what a merge sort costs then is its
/// launches (H200, 2^22 items of u32: 213 us, 117 us by radix_sort()).
constexpr std::uint64_t kMergeSortFrom = std::uint64_t{1} << 23;

/// The kernels of sort_wide_in_place().
struct MergeSortKernels {
  static std::uint64_t scratch_bytes(std::uint64_t count) { return kernels::merge_sort_scratch_bytes(count); }
  static void sort_keys(auto... arguments) { kernels::merge_sort_keys(arguments...); }
  static void sort_pairs(auto... arguments) { kernels::merge_sort_pairs(arguments...); }
};

/// Scratch of merge_sort_records().
struct RecordSortScratch {
  explicit RecordSortScratch(std::uint64_t count, void* area = nullptr) : layout(area) {
    pairs = {layout.take<std::uint64_t>(count), layout.take<std::uint32_t>(count)};
    alternate = {layout.take<std::uint64_t>(count), layout.take<std::uint32_t>(count)};
    kernel = layout.take<std::byte>(kernels::merge_sort_scratch_bytes(count));
  }

  kernels::ScratchLayout layout;
  kernels::PrefixPairs pairs;
  kernels::PrefixPairs alternate;
  std::byte* kernel;
};

/// Throws Refused unless records of this length have such a field.
void require_field(const Field& field, std::uint64_t record_bytes) {
  require(field.kind <= FieldKind::kFloat && field.byte_order <= ByteOrder::kBig && length_suits(field),
          "a field's length does not suit its kind: bytes have any, integers 1, 2, 4 or 8, floats 2, 4 or 8");
  require(field.offset <= record_bytes && field.length <= record_bytes - field.offset, "a field leaves the record");
}

KeyPlan plan_of_fields(std::span<const Field> fields, std::uint64_t record_bytes) {
  require(!fields.empty() && fields.size() <= kMaxFields, "records are ordered by 1 to 32 fields");
  KeyPlan plan;
  std::uint64_t key_bytes = 0;
  for (const Field& field : fields) {
    require_field(field, record_bytes);
    key_bytes += field.length;
    require(key_bytes <= kMostRecordBytes, "the fields have more than 2^32 bytes together");
    add_key_part(plan, field, false);
  }
  return plan;
}

void launch_record_sort(const kernels::RecordKeys& keys, std::uint64_t count, std::byte* sorted,
                        const RecordSortScratch& scratch, cudaStream_t stream) {
  kernels::extract_prefixes(keys, 0, count, scratch.pairs, stream);
  const kernels::RecordKeys* const tie_break = keys.exceed_prefix() ? &keys : nullptr;
  kernels::merge_sort_pairs(scratch.pairs, scratch.alternate, count, tie_break, scratch.kernel, stream);
  kernels::gather_fixed(keys.records, keys.record_bytes, count, scratch.pairs.indices, count, sorted, stream);
}

}  // namespace

std::size_t merge_sort_scratch_bytes(KeyType key_type, std::size_t value_bytes, std::uint64_t count) noexcept {
  if (is_short(key_type)) return radix_sort_scratch_bytes(key_type, value_bytes, count);
  const std::uint64_t radix_count = std::min(count, kMergeSortFrom - 1);
  const std::size_t bytes = sort_wide_scratch_bytes<MergeSortKernels>(key_type, value_bytes, count);
  return std::max<std::size_t>(
      radix_sort_scratch_bytes(key_type, value_bytes, radix_count),
      is_by_value(key_type) ? sort_by_value_bytes(key_type, value_bytes, count, bytes) : bytes);
}

Status merge_sort(Keys keys, Values values, std::uint64_t count, Order order, Scratch scratch,
                  cudaStream_t stream) noexcept {
  return answer([&] {
    if (is_short(keys.type) || count < kMergeSortFrom) {
      return require_ok(radix_sort(keys, values, count, order, scratch, stream));
    }
    if (!is_by_value(keys.type)) {
      return sort_wide_in_place<MergeSortKernels>(keys, values, count, order, scratch, stream);
    }
    require_order(order);
    sort_in_place_by_value(keys, values, count, order,
                           sort_wide_scratch_bytes<MergeSortKernels>(keys.type, values.bytes, count), scratch, stream,
                           [&](const Keys& ordered, const Scratch& sort) {
                             return merge_sort(ordered, values, count, order, sort, stream);
                           });
  });
}

std::size_t merge_sort_records_scratch_bytes(std::uint64_t count) noexcept {
  return RecordSortScratch(count).layout.size_bytes();
}

Status merge_sort_records(const Records& records, std::span<const Field> fields, void* sorted, Scratch scratch,
                          cudaStream_t stream) noexcept {
  return answer([&] {
    require(records.record_bytes > 0 && records.record_bytes <= kMostRecordBytes,
            "records have 1 to 2^32 - 1 bytes each");
    require(records.count <= std::numeric_limits<std::uint32_t>::max(), "fewer than 2^32 records can be sorted");
    kernels::RecordKeys keys;
    keys.plan = plan_of_fields(fields, records.record_bytes);
    keys.records = static_cast<const std::byte*>(records.data);
    keys.record_bytes = records.record_bytes;
    const std::uint64_t bytes = records.count * records.record_bytes;
    const std::initializer_list<ArrayArgument> arrays{{"records", records.data, bytes, Access::kRead, 1},
                                                      {"sorted records", sorted, bytes, Access::kWrite, 1}};
    require_arrays(arrays);
    if (records.count == 0) return;
    const ScratchLease lease(scratch, merge_sort_records_scratch_bytes(records.count), arrays, stream);
    const RecordSortScratch areas(records.count, lease.memory());
    launch_record_sort(keys, records.count, static_cast<std::byte*>(sorted), areas, stream);
  });
}

}  // namespace sortie::cuda
