// What sortie-gen can make: any range of the records of a data set, by itself. One class per kind behind one
// interface; generate_records() runs it over the whole file in parallel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <sortie/report.hpp>

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
  LengthBounds line_bytes{8, 8};  ///< for letters only, with the line's end
};

/// Parses a decimal number of at most 128 bits. Throws Error naming it.
Uint128 parse_record_number(std::string_view text);

class RecordSource {
 public:
  /// `typical_record_bytes`: approximately.
  RecordSource(const DataSet& data_set, const Layout& layout, std::uint64_t typical_record_bytes)
      : layout_(layout),
        typical_record_bytes_(typical_record_bytes),
        keys_(data_set.distribution, static_cast<std::uint64_t>(data_set.first_record), data_set.record_count,
              data_set.seed) {}
  virtual ~RecordSource() = default;

  const Layout& layout() const { return layout_; }
  std::uint64_t typical_record_bytes() const { return typical_record_bytes_; }

  /// Replaces `records` by the records at positions [begin, begin + count), counted from the data set's first record.
  /// Thread-safe.
  virtual void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const = 0;

 protected:
  const KeyDistribution& keys() const { return keys_; }

 private:
  Layout layout_;
  std::uint64_t typical_record_bytes_;
  KeyDistribution keys_;
};

/// Records of various lengths, made one by one.
class VariousSource : public RecordSource {
 public:
  using RecordSource::RecordSource;
  void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const final;

 private:
  virtual void append_record(std::uint64_t position, std::uint64_t code, std::string& records) const = 0;
};

/// Throws Error for an unknown kind, listing the known ones.
std::unique_ptr<RecordSource> make_record_source(const DataSet& data_set);

std::unique_ptr<RecordSource> make_gensort_source(const DataSet& data_set);
/// Makes little-endian numbers: kind u32, i32, u64, i64, f32 or f64. Returns null for another kind.
std::unique_ptr<RecordSource> make_number_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_line_source(const DataSet& data_set);
/// Throws Error for lines without room for their end.
std::unique_ptr<RecordSource> make_letters_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_log_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_prefixed_source(const DataSet& data_set);
std::unique_ptr<RecordSource> make_sam_source(const DataSet& data_set);

/// Receives consecutive parts of the file.
using ByteSink = std::function<void(std::span<const std::byte> bytes)>;

/// Passes records 0 to record_count - 1 to `sink`, a few megabytes at a time, from one thread at a time. The bytes do
/// not depend on `threads` (0 for all). Returns the checksum of the records if `sum` is set, else zero. Uses about 8
/// MiB of memory per thread.
Checksum generate_records(const RecordSource& source, std::uint64_t record_count, unsigned threads, bool sum,
                          const ByteSink& sink);

}  // namespace sortie::tools
