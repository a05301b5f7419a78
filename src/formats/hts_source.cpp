#include "formats/hts_source.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "base/quote.hpp"
#include "base/raw_bytes.hpp"
#include "base/thread_team.hpp"
#include "formats/load_genomes_module.hpp"
#include "io/input/compression_format.hpp"

namespace sortie::formats {
namespace {

using HasRead = decltype(JobContext::has_read);

class HtsSource final : public ContentsSource {
 public:
  HtsSource(std::unique_ptr<HtsReader> reader, std::string path, HtsContents contents, HasRead has_read)
      : reader_(std::move(reader)), path_(std::move(path)), contents_(contents), has_read_(std::move(has_read)) {}

  bool read(RawBytes& contents) override {
    const bool has_more = reader_->read(contents);
    if (has_read_) has_read_(path_, reader_->file_bytes_read());
    return has_more;
  }
  std::string place_of(std::uint64_t contents_offset) const override {
    return "offset " + std::to_string(contents_offset) + " of its records as " +
           (contents_ == HtsContents::kAlignments ? "BAM" : "BCF");
  }
  void forget_before(std::uint64_t) override {}

 private:
  const std::unique_ptr<HtsReader> reader_;
  const std::string path_;
  const HtsContents contents_;
  const HasRead has_read_;
};

/// Packed files say by themselves whether they are whole.
bool ends_within_line(FileSystem& files, const std::string& path) {
  if (path == "-") return false;
  const FileStatus status = files.target_status(path);
  if (status.kind != FileStatus::Kind::kRegular || status.bytes == 0) return false;
  const std::unique_ptr<File> file = files.open_input(path);
  std::array<std::byte, kMagicBytes> begin{};
  const std::size_t got = file->read_at(0, begin);
  if (recognise_magic(std::span(begin).first(got)) != CompressionFormat::kNone) return false;
  std::byte last{};
  return file->read_at(status.bytes - 1, std::span(&last, 1)) == 1 && last != std::byte{'\n'};
}

}  // namespace

std::unique_ptr<ContentsSource> make_hts_source(const JobContext& context, const std::string& path,
                                                HtsContents contents, const std::string& what) {
  const HtsInput input{path, contents, static_cast<unsigned>(parallel_threads()),
                       context.setting("reference").value_or("")};
  return std::make_unique<HtsSource>(genomes_module(what).open_input(input), path, contents, context.has_read);
}

void tell_of_open_ends(const JobContext& context, const std::vector<std::string>& paths) {
  std::uint64_t count = 0;
  std::string first;
  for (const std::string& path : paths) {
    if (ends_within_line(context.files, path) && count++ == 0) first = path;
  }
  if (count == 0) return;
  context.assume({.kind = "open-end",
                  .message = std::to_string(count) + " of " + std::to_string(paths.size()) +
                             " inputs of text end within a line, the first: " + quote_path(first) +
                             "; it may be cut short: get it once more, or end it with a newline",
                  .count = count,
                  .of = paths.size(),
                  .first_place = first});
}

}  // namespace sortie::formats
