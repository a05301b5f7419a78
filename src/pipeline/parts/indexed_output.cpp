#include "pipeline/parts/indexed_output.hpp"

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/output/packed_output.hpp"
#include "pipeline/parts/indexed_file.hpp"
#include "record/places/place_reader.hpp"

namespace sortie {
namespace {

/// Bytes of a line in messages.
constexpr std::size_t kMostShownBytes = 60;

class IndexedOutput final : public Output {
 public:
  IndexedOutput(FileSystem& files, const std::string& path, const IndexOptions& options, int level,
                std::uint64_t most_bytes, TemporaryNames* names)
      : options_(options), file_(files, path, level, PlaceIndex(options, kBgzfContentsBytes, most_bytes), names) {}

  void write(std::span<const std::byte> bytes) override {
    add_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file_.packed().write(bytes);
  }
  void expect(std::uint64_t bytes) override { file_.packed().expect(bytes); }
  void write_around_cache() override { file_.packed().write_around_cache(); }
  void finish() override;

 private:
  void add_lines(std::string_view bytes);
  void add_line(std::string_view line, std::size_t bytes);

  IndexOptions options_;
  IndexedFile file_;
  std::string begun_;  // the line whose end has not come
  std::uint64_t offset_ = 0;
  std::uint64_t lines_ = 0;
};

void IndexedOutput::add_lines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
      begun_.append(bytes);
      return;
    }
    const std::string_view rest = bytes.substr(0, end);
    if (begun_.empty()) {
      add_line(rest, rest.size() + 1);
    } else {
      begun_.append(rest);
      add_line(begun_, begun_.size() + 1);
      begun_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void IndexedOutput::add_line(std::string_view line, std::size_t bytes) {
  const std::uint64_t begin = std::exchange(offset_, offset_ + bytes);
  ++lines_;
  if (lacks_place(options_.file, line)) return;
  try {
    file_.add(place_of(options_.file, line), begin, offset_);
  } catch (const Error& error) {
    throw Error("the output cannot be indexed: its line " + std::to_string(lines_) + ", " +
                    quote_word(line.substr(0, kMostShownBytes)) + ", " + error.what(),
                error.remedy());
  }
}

void IndexedOutput::finish() {
  if (!begun_.empty()) add_line(begun_, begun_.size());
  file_.finish();
}

}  // namespace

std::unique_ptr<Output> make_indexed_output(FileSystem& files, const std::string& path, const IndexOptions& options,
                                            int level, std::uint64_t most_bytes, TemporaryNames* names) {
  return std::make_unique<IndexedOutput>(files, path, options, level, most_bytes, names);
}

}  // namespace sortie
