#include "pipeline/shard/shard_range.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/shared_header.hpp"
#include "record/layout.hpp"

namespace sortie {
namespace {

constexpr std::size_t kSearchedBytes = 64 << 10;

/// Finds where records begin.
class RecordBegins {
 public:
  RecordBegins(File& file, const Layout& layout) : file_(file), layout_(layout), bytes_(file.size()) {}

  /// The begin of the first record that begins at `offset` or behind it; the end of the file if there is none.
  std::uint64_t at_or_behind(std::uint64_t offset) const {
    if (offset == 0) return 0;
    if (!layout_.delimited()) return std::min(round_up(offset, layout_.record_bytes), bytes_);
    return behind_delimiters(offset - 1, 1);
  }

  /// The begin of the first record at `offset` or behind it that begins with none of `prefixes`; `offset` begins one.
  std::uint64_t behind_prefixed(std::uint64_t offset, const std::vector<std::string>& prefixes) const {
    while (offset < bytes_ && begins_with_one(offset, prefixes)) offset = behind_delimiters(offset, 1);
    return offset;
  }

  /// The offset behind the first `count` delimiters from `offset` on; the end of the file if there are fewer.
  std::uint64_t behind_delimiters(std::uint64_t offset, std::uint64_t count) const {
    std::vector<std::byte> memory(kSearchedBytes);
    while (count > 0 && offset < bytes_) {
      const std::span<const std::byte> read = std::span(memory).first(file_.read_at(offset, memory));
      if (read.empty()) return bytes_;
      const void* const found = std::memchr(read.data(), static_cast<unsigned char>(layout_.delimiter), read.size());
      count -= found == nullptr ? 0 : 1;
      offset += found == nullptr ? read.size()
                                 : static_cast<std::size_t>(static_cast<const std::byte*>(found) - read.data()) + 1;
    }
    return std::min(offset, bytes_);
  }

 private:
  bool begins_with_one(std::uint64_t offset, const std::vector<std::string>& prefixes) const {
    return std::ranges::any_of(prefixes, [&](const std::string& prefix) {
      std::string begin(prefix.size(), '\0');
      begin.resize(file_.read_at(offset, std::as_writable_bytes(std::span(begin))));
      return begin == prefix;
    });
  }

  File& file_;
  const Layout& layout_;
  std::uint64_t bytes_;
};

/// Counts the lines that end in bytes `begin` to `end`.
std::uint64_t count_lines(File& file, std::uint64_t begin, std::uint64_t end, char delimiter) {
  std::vector<std::byte> memory(kSearchedBytes);
  std::uint64_t lines = 0;
  while (begin < end) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(end - begin, memory.size()));
    const std::span<const std::byte> read =
        std::span(memory).first(file.read_at(begin, std::span(memory).first(wanted)));
    if (read.empty()) break;
    lines += static_cast<std::uint64_t>(std::ranges::count(read, std::byte(delimiter)));
    begin += read.size();
  }
  return lines;
}

[[noreturn]] void refuse_shards(const std::string& path, const std::string& why) {
  throw Error("input " + quote_path(path) + " has no shards: " + why + "; give it whole, as the bytes from 0 on");
}

}  // namespace

ShardStretches stretches_of_shard(FileSystem& files, const SortOptions& options, const ShardRequest& request) {
  const std::string& path = options.inputs.front();
  const Layout layout = layout_of(options.format);
  if (layout.walked()) refuse_shards(path, "where its records begin depends on all that is in front of them");
  const std::unique_ptr<File> file = files.open_input(path);
  if (file->seekable() && file->size() == 0) return {};
  const auto given = request.is_of_job ? std::optional(GivenHeader{"", false}) : std::nullopt;
  const std::unique_ptr<Input> input = InputOpener(files, options, given).open(path);
  if (!input->size()) {
    const bool is_array = input->numbering().word != nullptr;
    refuse_shards(path, is_array ? "it is one JSON array, not JSON Lines" : "it is packed, or no plain file");
  }
  const RecordBegins begins(*file, layout);
  const std::uint64_t header_end = input->begin();
  const auto prefixes = request.is_of_job ? std::vector<std::string>() : header_rule(options).prefixes;
  const auto first_record = [&](std::uint64_t offset) {
    return std::max(begins.at_or_behind(std::min(offset, file->size())), header_end);
  };
  const auto shard_begin = [&](std::uint64_t offset) {
    const std::uint64_t first = first_record(offset);
    return first == header_end ? first : begins.behind_prefixed(first, prefixes);
  };
  const std::uint64_t begin = shard_begin(request.begin);
  const std::uint64_t end = request.end ? shard_begin(*request.end) : file->size();
  const std::uint64_t first_byte = std::max(std::min(request.begin, file->size()), header_end);
  return {{{0, header_end}, {begin, std::max(begin, end)}}, begin - first_byte};
}

std::uint64_t lines_left_out(FileSystem& files, const SortOptions& options, const std::vector<FileStretch>& stretches) {
  if (stretches.empty()) return 0;
  const std::unique_ptr<File> file = files.open_input(options.inputs.front());
  return count_lines(*file, stretches.front().end, stretches.back().begin, options.format.delimiter);
}

}  // namespace sortie
