#include "pipeline/shard/cut_file.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/run_error.hpp>

#include "base/checksum.hpp"
#include "base/quote.hpp"
#include "io/files/file_uses.hpp"
#include "io/output/open_output.hpp"
#include "io/output/output.hpp"
#include "pipeline/shard/shard_json.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// The numbers of a cut, in the order of the file.
constexpr std::array kNumbersOfCut = {
    &RunCut::block,        &RunCut::block_bytes, &RunCut::records,     &RunCut::bytes,     &RunCut::output_bytes,
    &RunCut::stored_begin, &RunCut::stored_end,  &RunCut::index_begin, &RunCut::index_end, &RunCut::index_checksum};
constexpr std::size_t kBytesBesideCuts = 2 * sizeof(std::uint64_t);
constexpr std::size_t kDigitsOfShard = 6;
constexpr std::uint64_t kMostBytesOfRunLists = std::uint64_t{1} << 30;

std::size_t row_bytes(std::size_t runs) {
  return kBytesBesideCuts + runs * kNumbersOfCut.size() * sizeof(std::uint64_t);
}

std::vector<std::byte> encode_row(const std::vector<std::vector<RunCut>>& cuts, std::size_t row) {
  ByteBuilder builder;
  builder.number(static_cast<std::uint64_t>(row));
  for (const std::vector<RunCut>& of_run : cuts) {
    for (const auto number : kNumbersOfCut) builder.number(of_run[row].*number);
  }
  builder.number(hash_record(builder.view()).low);
  return std::move(builder).take();
}

/// Nothing for a row that is damaged, or another.
std::optional<std::vector<RunCut>> decode_row(std::span<const std::byte> bytes, std::uint64_t row, std::size_t runs) {
  ByteCursor cursor(bytes);
  const bool is_this_row = cursor.number<std::uint64_t>() == row;
  std::vector<RunCut> cuts(runs);
  for (RunCut& cut : cuts) {
    for (const auto number : kNumbersOfCut) cut.*number = cursor.number<std::uint64_t>();
  }
  const std::uint64_t checksum = hash_record(bytes.first(bytes.size() - sizeof(std::uint64_t))).low;
  if (!is_this_row || cursor.number<std::uint64_t>() != checksum || !cursor.complete()) return std::nullopt;
  return cuts;
}

[[noreturn]] void refuse_cuts(const std::string& path) {
  throw DamagedFile(
      path, "file " + quote_path(path) + " cannot be used: what it says of cuts is damaged; cut the runs again");
}

/// The cuts in front of a part and behind it.
std::pair<std::vector<RunCut>, std::vector<RunCut>> read_rows(FileSystem& files, const std::string& path,
                                                              const SliceSource& source, std::size_t runs) {
  const std::unique_ptr<File> file = files.open_input(path);
  const std::size_t width = row_bytes(runs);
  if (file->size() != width * (source.parts + 1) || source.part >= source.parts) refuse_cuts(path);
  std::vector<std::byte> bytes(2 * width);
  if (file->read_at(source.part * width, bytes) != bytes.size()) refuse_cuts(path);
  auto begins = decode_row(std::span(bytes).first(width), source.part, runs);
  auto ends = decode_row(std::span(bytes).last(width), source.part + 1, runs);
  if (!begins || !ends) refuse_cuts(path);
  return {std::move(*begins), std::move(*ends)};
}

std::string cut_file_of(const SliceSource& source, std::size_t shard) {
  const std::string digits = std::to_string(shard);
  return source.cuts_directory + "/" + std::string(kDigitsOfShard - std::min(digits.size(), kDigitsOfShard), '0') +
         digits + ".rows";
}

std::vector<std::vector<std::string>> read_run_lists(FileSystem& files, const std::string& path) {
  const std::unique_ptr<File> file = files.open_input(path);
  std::string text(static_cast<std::size_t>(std::min(file->size(), kMostBytesOfRunLists)), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  return parse_run_lists(text, path);
}

}  // namespace

void refuse_cuts_over_others(FileSystem& files, const SortOptions& options, const std::vector<std::string>& runs,
                             const std::string& path) {
  std::vector<FileUse> uses{{FileUse::Kind::kTarget, path, "the cuts"}};
  for (const std::string& run : runs) uses.push_back({FileUse::Kind::kRead, run, "a run"});
  for (const std::string& file : options.protected_files) {
    uses.push_back({FileUse::Kind::kRead, file, "in use for another purpose"});
  }
  refuse_shared_targets(files, uses);
}

std::uint64_t write_cut_file(FileSystem& files, const std::string& path, const std::vector<std::vector<RunCut>>& cuts) {
  const std::unique_ptr<Output> output = open_output(files, path, kNotPacked);
  std::uint64_t written = 0;
  const std::size_t rows = cuts.empty() ? 0 : cuts.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<std::byte> encoded = encode_row(cuts, row);
    written += encoded.size();
    output->write(encoded);
  }
  output->finish();
  return written;
}

std::vector<RunSlicePlan> read_slices(FileSystem& files, const SliceSource& source) {
  std::vector<RunSlicePlan> slices;
  std::uint64_t number = 0;
  const std::vector<std::vector<std::string>> shards = read_run_lists(files, source.runs_file);
  for (std::size_t shard = 0; shard < shards.size(); ++shard) {
    const std::vector<std::string>& runs = shards[shard];
    if (runs.empty()) continue;
    const auto [begins, ends] = read_rows(files, cut_file_of(source, shard), source, runs.size());
    for (std::size_t run = 0; run < runs.size(); ++run, ++number) {
      if (ends[run].records > begins[run].records) slices.push_back({runs[run], number, begins[run], ends[run]});
    }
  }
  return slices;
}

}  // namespace sortie
