// Writes documents into token files, one or several, in the form in which they were read: tokens, and beside them the
// index of Megatron, or in front of them the header of an array. Owned by TokenFiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/file_format.hpp"
#include "formats/parts/part_files.hpp"
#include "formats/parts/part_stream.hpp"
#include "formats/places/place_copier.hpp"
#include "formats/tokens/token_reader.hpp"

namespace sortie::formats::tokens {

class TokenWriter final : private PartTarget {
 public:
  /// Opens the output. `reader` tells what tokens are. The others must outlive this.
  TokenWriter(const JobContext& context, PlacedFiles& files, const TokenReader& reader, TokenForm form);

  /// Call it before the first record. `total_bytes`: of all documents that will come; nothing if that is unknown.
  void begin(std::optional<std::uint64_t> total_bytes);
  /// As FormatFiles has them.
  void write(std::span<const std::byte> records) { stream_->write(records); }
  std::uint64_t records_written() const { return stream_ ? stream_->records() : 0; }
  /// Completes all files, and puts them in their places.
  void finish();

 private:
  std::uint64_t bytes_of(std::span<const std::byte> record) const override;
  void begin_file(std::uint64_t number) override;
  void write_record(std::span<const std::byte> record) override;
  void end_file() override;

  void copy(std::span<const std::byte> record);
  void write_array();

  const JobContext& context_;
  PlacedFiles& files_;
  const TokenReader& reader_;
  TokenForm form_;
  PartFiles parts_;
  PlaceCopier copier_;
  ScratchSpace scratch_;
  MegatronIndexWriter index_;
  const Layout layout_{.framing = Framing::kPrefixed};
  WaitingRecords of_array_;  // of the current file, whose header says how many there are
  std::optional<PartStream> stream_;
  std::uint64_t number_ = 0;  // of the current file
  WrittenPart summary_;       // of the same
};

}  // namespace sortie::formats::tokens
