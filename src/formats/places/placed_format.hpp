// What formats have in common whose records are places (place.hpp): a reader of places, and a writer that copies what
// stands there, both of the files that the places lead to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/raw_bytes.hpp"
#include "formats/file_format.hpp"
#include "formats/places/placed_files.hpp"

namespace sortie::formats {

/// `Reader` has read(), records_read() and bytes_read(), `Writer` is a PlacedWriter with a finish(). The constructor of
/// a format makes both in place; there is no writer for a plan.
template <class Reader, class Writer>
class PlacedFormat : public FormatFiles {
 public:
  bool read(RawBytes& records) override { return reader_->read(records); }
  std::uint64_t records_read() const override { return reader_->records_read(); }

  void write(std::span<const std::byte> records) override {
    begin_once();
    writer_->write(records);
  }
  std::uint64_t records_written() const override { return writer_->records_written(); }

  void finish() override {
    begin_once();
    writer_->finish();
  }

 protected:
  explicit PlacedFormat(const JobContext& context) : context_(context), files_(context.files) {}

  /// Tells the writer, before its first record, what it needs to know of all that was read. `total_bytes`: of all
  /// records that will come; nothing if that is unknown.
  virtual void begin_writer(std::optional<std::uint64_t> total_bytes) = 0;

  const JobContext& context_;
  PlacedFiles files_;
  std::optional<Reader> reader_;
  std::optional<Writer> writer_;

 private:
  void begin_once() {
    if (has_begun_) return;
    has_begun_ = true;
    const SortOptions& options = context_.options;
    const bool keeps_all = context_.reads && !options.unique && options.top_records == 0 && options.sample_records == 0;
    begin_writer(keeps_all ? std::optional(reader_->bytes_read()) : std::nullopt);
  }

  bool has_begun_ = false;
};

}  // namespace sortie::formats
