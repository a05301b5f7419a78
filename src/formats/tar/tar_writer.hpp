// Writes samples into tar archives, one or several: each has the global headers of the inputs in front, and an end of
// its own. Owned by TarFiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/file_format.hpp"
#include "formats/places/placed_writer.hpp"
#include "formats/tar/tar_reader.hpp"

namespace sortie::formats::tar {

class TarWriter final : public PlacedWriter {
 public:
  /// Opens the output. `order`: that of the records. The others must outlive this.
  TarWriter(const JobContext& context, PlacedFiles& files, SampleOrder order);

  /// Call it before the first record. `total_bytes`: of all samples that will come; nothing if that is unknown.
  void begin(std::span<const std::byte> global_headers, std::optional<std::uint64_t> total_bytes);
  /// Completes all archives, and puts them in their places.
  void finish();

 private:
  std::uint64_t bytes_of(std::span<const std::byte> record) const override;
  void begin_file(std::uint64_t number) override;
  void write_record(std::span<const std::byte> record) override;
  void end_file() override;

  void note_key(const TarRecord& sample, std::span<const std::byte> key);
  void tell_repeated_keys() const;

  SampleOrder order_;
  std::vector<std::byte> global_headers_;
  std::uint64_t archive_bytes_ = 0;
  std::uint64_t number_ = 0;         // of the current archive
  std::vector<std::byte> last_key_;  // of a sample, or its hash
  std::uint64_t repeated_keys_ = 0;
  std::string first_repeated_;  // what messages say of the first one
};

}  // namespace sortie::formats::tar
