// Arrays of little-endian numbers. Integers span their whole range; floats are finite, in [-10^6, 10^6).
#include <algorithm>
#include <array>
#include <type_traits>

#include "base/bytes.hpp"
#include "record/key_plan.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::uint64_t kBatchNumbers = 1024;

/// The number that a code stands for. A bigger code gives a number at least as big.
template <class T>
T number_of(std::uint64_t code) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr double kRange = 2e6;
    return static_cast<T>((static_cast<double>(code >> 11) * 0x1p-53 - 0.5) * kRange);
  } else {
    constexpr FieldKind kKind = std::is_signed_v<T> ? FieldKind::kSigned : FieldKind::kUnsigned;
    return static_cast<T>(decode_number(kKind, code >> (64 - 8 * sizeof(T)), sizeof(T)));
  }
}

template <class T>
class NumberSource final : public RecordSource {
 public:
  explicit NumberSource(const DataSet& data_set) : RecordSource(data_set, Layout{sizeof(T)}, sizeof(T)) {}

  void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const override {
    records.resize(static_cast<std::size_t>(count * sizeof(T)));
    std::array<std::uint64_t, kBatchNumbers> codes;
    char* target = records.data();
    for (std::uint64_t done = 0; done < count; done += kBatchNumbers) {
      const std::span<std::uint64_t> batch = std::span(codes).first(std::min(kBatchNumbers, count - done));
      keys().fill(begin + done, batch);
      if (keys().kind() == Distribution::kPrefix) randomise_lower_half(begin + done, batch);
      for (const std::uint64_t code : batch) {
        store_as(target, number_of<T>(code));
        target += sizeof(T);
      }
    }
  }

 private:
  /// Keeps the upper half of each number, which is the shared prefix.
  void randomise_lower_half(std::uint64_t begin, std::span<std::uint64_t> codes) const {
    constexpr std::uint64_t kShared = ~std::uint64_t{0} << (64 - 4 * sizeof(T));
    for (std::size_t i = 0; i < codes.size(); ++i)
      codes[i] = (codes[i] & kShared) | (keys().random(begin + i) & ~kShared);
  }
};

}  // namespace

std::unique_ptr<RecordSource> make_number_source(const DataSet& data_set) {
  if (data_set.kind == "u32") return std::make_unique<NumberSource<std::uint32_t>>(data_set);
  if (data_set.kind == "i32") return std::make_unique<NumberSource<std::int32_t>>(data_set);
  if (data_set.kind == "u64") return std::make_unique<NumberSource<std::uint64_t>>(data_set);
  if (data_set.kind == "i64") return std::make_unique<NumberSource<std::int64_t>>(data_set);
  if (data_set.kind == "f32") return std::make_unique<NumberSource<float>>(data_set);
  if (data_set.kind == "f64") return std::make_unique<NumberSource<double>>(data_set);
  return nullptr;
}

}  // namespace sortie::tools
