// What sortie-gen can make: any range of the records of a data set, by itself. One class per kind behind one
// interface; file_generator.hpp runs it over the whole file in parallel.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "record/layout.hpp"
#include "tools/gen/key_distribution.hpp"
#include "tools/gen/lcg128.hpp"

namespace sortie::tools {

/// Bounds of random lengths, in bytes.
struct LengthBounds {
  std::uint64_t least = 0;
  std::uint64_t most = 0;  ///< below 2^32
};

/// Everything that decides the bytes of a data set.
struct DataSet {
  std::string kind = "gensort";
  bool ascii = false;        ///< for gensort only
  Uint128 first_record = 0;  ///< number of the first record
  std::uint64_t record_count = 0;
  Distribution distribution = Distribution::kUniform;
  std::uint64_t seed = 0;
  LengthBounds key_bytes{0, 20};  ///< for prefixed only, as is the next
  LengthBounds payload_bytes{0, 200};
};

class RecordSource {
 public:
  virtual ~RecordSource() = default;

  virtual Layout layout() const = 0;

  /// The approximate number of bytes of a record.
  virtual std::uint64_t typical_record_bytes() const = 0;

  /// Replaces `records` by the records at positions [begin, begin + count), counted from the data set's first record.
  /// Thread-safe.
  virtual void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const = 0;
};

/// Throws Error for an unknown kind, listing the known ones.
std::unique_ptr<RecordSource> make_record_source(const DataSet& data_set);

std::unique_ptr<RecordSource> make_gensort_source(const DataSet& data_set);
/// Makes little-endian numbers: kind u32, i32, u64, i64, f32 or f64. Returns null for another kind.
std::unique_ptr<RecordSource> make_number_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_line_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_log_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_prefixed_source(const DataSet& data_set);

}  // namespace sortie::tools
