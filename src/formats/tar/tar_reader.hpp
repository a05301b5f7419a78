// Makes records of the samples of tar archives: a key, and either the place of the sample in its file or, if the file
// cannot be read again, its bytes. TarRecord is also what the writer takes apart. Owned by TarFiles.
//
//   payload │ flags, 1 byte │ hash of the sample's key, 8 bytes, unless the record has that key │
//           │ place, 20 bytes, or the bytes of the sample, headers and padding with them │
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/shuffle_keys.hpp>

#include "base/raw_bytes.hpp"
#include "formats/file_format.hpp"
#include "formats/places/placed_files.hpp"
#include "formats/tar/tar_inputs.hpp"
#include "formats/tar/tar_samples.hpp"

namespace sortie::formats::tar {

/// What orders samples, and tells equal ones.
enum class SampleOrder : std::uint8_t {
  kKey,      ///< the bytes of their keys
  kContent,  ///< a hash of extensions and contents, 128 bits: names and times do not count
  kRandom,   ///< a shuffle
};

struct TarRecord {
  static constexpr std::byte kIsCarried{1};
  static constexpr std::byte kIsSample{2};
  static constexpr std::byte kHasKeyHash{4};

  /// Precondition: a payload that TarReader has made.
  explicit TarRecord(std::span<const std::byte> payload);

  bool is_sample;                         ///< a loader sees it
  std::optional<std::uint64_t> key_hash;  ///< if the key of the record is not that of the sample
  std::optional<Place> place;             ///< if it is not carried
  std::span<const std::byte> carried;     ///< otherwise

  std::uint64_t bytes() const { return place ? place->bytes : carried.size(); }
};

class TarReader {
 public:
  /// Opens all inputs. Throws Error if one cannot be read. `context` and `files` must outlive this.
  TarReader(const JobContext& context, PlacedFiles& files, SampleOrder order);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  /// As FormatFiles has it.
  bool read(RawBytes& records);
  std::uint64_t records_read() const { return records_; }
  /// Bytes of all samples so far.
  std::uint64_t bytes_read() const { return bytes_; }
  /// The global pax headers of the inputs. Complete once all records are read.
  const std::vector<std::byte>& global_headers() const { return global_headers_; }
  /// Reads as much of all inputs as says which global pax headers they have. In place of read().
  void look_at_headers();

 private:
  struct Archive {
    std::string path;
    std::optional<std::uint32_t> placed;  // its number, if it is a plain file
    std::unique_ptr<File> stream;         // if it can be opened only once
  };
  struct OpenArchive;
  struct ReadSample;

  void add_archive(const std::string& path);
  void open_archive(Archive& archive);
  std::optional<ReadSample> next_sample();
  void take_global_headers();
  std::vector<std::byte> content_hash(const ReadSample& read) const;
  std::vector<std::byte> key_of(const ReadSample& read) const;
  void append(const ReadSample& read, std::span<const std::byte> key, RawBytes& records);

  const JobContext& context_;
  PlacedFiles& files_;
  SampleOrder order_;
  ShuffleKeys shuffle_keys_;
  std::vector<Archive> archives_;
  std::vector<InputStretch> stretches_;
  std::size_t next_archive_ = 0;       // of stretches_
  std::unique_ptr<OpenArchive> open_;  // null between two archives
  std::uint64_t number_ = 0;           // of the next sample, among those of all inputs
  std::uint64_t records_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::byte> global_headers_;
  std::string global_path_;  // of the archive that they are from; empty: no archive had samples yet
};

}  // namespace sortie::formats::tar
