// The structures of a run file as bytes: one encoder and one decoder each, as FORMAT.md lays them down.
// Used by what writes and reads run files, and where those of a checkpoint are told from other files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "record/record_order.hpp"
#include "run/run.hpp"

namespace sortie {

inline constexpr std::uint32_t kRunFormatVersion = 2;
inline constexpr std::size_t kRunHeaderBytes = 64;
inline constexpr std::size_t kRunTrailerBytes = 32;
/// A block of several records decodes to no more, and so does a packed block of one record: what a reader needs for a
/// block follows from this and from its longest record, and not from what an index says.
inline constexpr std::uint64_t kMostBlockBytes = 1 << 20;
inline constexpr std::uint64_t kMostPackedBytes = 4 << 20;

struct RunHeader {
  std::uint32_t version = kRunFormatVersion;
  RunIdentity identity;
  Layout layout;
  std::uint64_t order_hash = 0;    ///< hash of the key plan: runs in another order cannot be mixed in
  std::uint64_t options_hash = 0;  ///< the same of all that decides what is in front of lines; 0 outside of shards

  friend bool operator==(const RunHeader&, const RunHeader&) = default;
};

struct RunTrailer {
  std::uint64_t footer_offset = 0;
  std::uint64_t footer_bytes = 0;
  std::uint64_t footer_checksum = 0;
};

RunHeader make_run_header(const RecordOrder& order, const RunIdentity& identity, std::uint64_t options_hash = 0);

std::vector<std::byte> encode_run_header(const RunHeader& header);
std::vector<std::byte> encode_run_footer(const Run& run);
/// `footer`: what encode_run_footer() returned, which lies at `footer_offset`.
std::vector<std::byte> encode_run_trailer(std::span<const std::byte> footer, std::uint64_t footer_offset,
                                          const RunIdentity& identity);

/// Whether `bytes`, the first ones of a file, can be those of that run's file. The file may be incomplete: cut short,
/// or zeros from some point on. Layout and order do not matter.
bool may_begin_run_file(std::span<const std::byte> bytes, const RunIdentity& identity);

/// The decoders take bytes that need not be trusted, of the size named above, and throw DamagedFile that says
/// what is wrong with it. `file`: its path.
RunHeader decode_run_header(std::span<const std::byte> bytes, const std::string& file);
RunTrailer decode_run_trailer(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& file);
/// A run without storage, whose blocks lie between header and footer without gaps.
Run decode_run_footer(std::span<const std::byte> footer, const RunTrailer& trailer, const RunHeader& header,
                      const std::string& file);

/// Offset in the file of the index's first entry. With the functions below a reader takes the entries of some blocks
/// that follow one another, and no others.
std::uint64_t index_begin(std::uint64_t footer_offset);
/// Bytes of the block's entry.
std::uint64_t index_entry_size(const BlockInfo& block);
/// `offset`: where `entries` begin in the file.
std::uint64_t index_checksum(std::span<const std::byte> entries, const RunIdentity& identity, std::uint64_t offset);
/// `offset`: as above. Throws Error that names `file` if they are malformed, or their blocks are not one behind the
/// other in front of them.
std::vector<BlockInfo> decode_index_entries(std::span<const std::byte> entries, std::uint64_t offset,
                                            const RunHeader& header, const std::string& file);

/// Whether the block has a checksum. Raw blocks in RAM have none: nobody else can change them, and the sort's own
/// checksum covers them.
inline bool is_checked(const BlockInfo& block, const RunStorage& storage) {
  return block.codec != BlockCodec::kRaw || storage.in_file();
}

/// XXH3-64 of a block's stored bytes, seeded with the XXH3-64 of job id, run number and block number.
std::uint64_t block_checksum(std::span<const std::byte> stored, const RunIdentity& identity, std::uint64_t block);

/// Builds and takes apart little-endian structures field by field. Used by the run format only.
class ByteBuilder {
 public:
  template <class Number>
  void number(Number value) {
    bytes_.resize(bytes_.size() + sizeof value);
    store_as(bytes_.data() + bytes_.size() - sizeof value, value);
  }
  void bytes(std::span<const std::byte> source) { bytes_.insert(bytes_.end(), source.begin(), source.end()); }

  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::byte> view() const { return bytes_; }
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reading past the end gives zeros and makes complete() false: one check after all fields are read.
class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class Number>
  Number number() {
    const std::span<const std::byte> source = bytes(sizeof(Number));
    return source.empty() ? Number{} : load_as<Number>(source.data());
  }
  /// The next `count` bytes; empty if fewer are left.
  std::span<const std::byte> bytes(std::size_t count) {
    if (rest_.size() < count) {
      overrun_ = true;
      return {};
    }
    const std::span<const std::byte> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

  bool overrun() const { return overrun_; }
  /// Whether exactly all bytes have been read.
  bool complete() const { return !overrun_ && rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
  bool overrun_ = false;
};

}  // namespace sortie
