// Writes documents into token files, one or several, in the form in which they were read: tokens, and beside them the
// index of Megatron, or in front of them the header of an array. Owned by TokenFiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/file_format.hpp"
#include "formats/places/placed_writer.hpp"
#include "formats/tokens/token_reader.hpp"

namespace sortie::formats::tokens {

class TokenWriter final : public PlacedWriter {
 public:
  /// Opens the output. `reader` tells what tokens are. The others must outlive this.
  TokenWriter(const JobContext& context, PlacedFiles& files, const TokenReader& reader, TokenForm form);

  /// Call it before the first record. `total_bytes`: of all documents that will come; nothing if that is unknown.
  void begin(std::optional<std::uint64_t> total_bytes) { begin_stream(0, total_bytes); }
  /// Completes all files, and puts them in their places.
  void finish();

 private:
  std::uint64_t bytes_of(std::span<const std::byte> record) const override;
  void begin_file(std::uint64_t number) override;
  void begin_output();
  void write_record(std::span<const std::byte> record) override;
  void end_file() override;

  void copy(std::span<const std::byte> record);
  void write_array();

  const TokenReader& reader_;
  TokenForm form_;
  ScratchSpace scratch_;
  MegatronIndexWriter index_;
  const Layout layout_{.framing = Framing::kPrefixed};
  WaitingRecords of_array_;   // of the current file, whose header says how many there are
  std::uint64_t number_ = 0;  // of the current file
};

}  // namespace sortie::formats::tokens
