#include "pipeline/check_job.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "base/memory_region.hpp"
#include "base/size.hpp"
#include "pipeline/input/keyed_reader.hpp"
#include "pipeline/job_attempt.hpp"
#include "pipeline/scan/sorted_scan.hpp"
#include "pipeline/setup/sort_files.hpp"
#include "pipeline/setup/sort_spec.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kPieceBytes = 32 << 20;

std::uint64_t first_buffer_bytes(const MemoryBudget& budget, std::uint64_t record_bytes) {
  return std::max(record_bytes, std::min(budget.memory_bytes / 2, kPieceBytes));
}

std::uint64_t most_buffer_bytes(const MemoryBudget& budget) {
  return std::max(budget.memory_bytes / 2, most_record_bytes(budget.most_bytes));
}

// Makes room for a record that is longer than the buffer. As long as it is unfinished, it takes as much memory again in
// the reader.
void make_room_for_record(MemoryRegion& buffer, const MemoryBudget& budget, const PieceSource& source) {
  const std::uint64_t larger = std::min(2 * buffer.size(), most_buffer_bytes(budget));
  if (larger <= buffer.size()) {
    throw Error(source.position() + ": a record is longer than the memory for it; raise the memory budget",
                Remedy::kMoreMemory);
  }
  buffer = MemoryRegion();
  buffer = MemoryRegion(larger);
}

// Standard input of a check. A check that ends early leaves a redirected one where GNU sort leaves it, for whoever goes
// on reading there.
class StandardInput {
 public:
  StandardInput(FileSystem& files, const SortOptions& options) : buffer_bytes_(options.memory_bytes) {
    if (options.inputs.empty() || std::ranges::count(options.inputs, "-") != 0) file_ = files.open_input("-");
    if (file_ && !file_->seekable()) file_.reset();
  }

  void leave_behind(const Disorder& disorder, const Format& format) {
    if (disorder.input != "-" || !file_) return;
    const bool is_of_lines = format.kind == RecordKind::kLines;
    const std::uint64_t text_bytes = disorder.text.size() + (is_of_lines ? 1 : 0);
    const std::uint64_t end = disorder.offset + (format.record_bytes != 0 ? format.record_bytes : text_bytes);
    file_->set_position(is_of_lines ? position_after_check(*file_, format.delimiter, end, buffer_bytes_) : end);
  }

 private:
  std::uint64_t buffer_bytes_;
  std::unique_ptr<File> file_;
};

/// What GNU sort keeps for each line, on machines with 64 bits.
constexpr std::uint64_t kLineBytes = 32;
constexpr std::uint64_t kLeastBufferBytes = 256 << 10;
constexpr std::uint64_t kReadBytes = 256 << 10;

// GNU sort's buffer, which has text at its front and lines at its back. Each read is as long as would fit if every byte
// were a line, and reading ends when the two meet. Then the unfinished line at the end moves to the front.
//
//   | text ->            free            <- lines |
class LineBuffer {
 public:
  LineBuffer(File& file, char delimiter, std::uint64_t bytes)
      : file_(file), delimiter_(std::byte(delimiter)), bytes_(round_down(bytes, kLineBytes) + kLineBytes) {}

  /// Reads until the buffer is full and at least one line is complete. The buffer grows for a longer line.
  void fill() {
    text_begin_ = lines_end_;
    lines_ = 0;
    while (!has_ended_ && lines_ == 0) {
      while (!has_ended_ && free_bytes() > kLineBytes + 1) read((free_bytes() - 1) / (kLineBytes + 1));
      if (lines_ == 0) bytes_ += (bytes_ / kLineBytes / 2 + 1) * kLineBytes;
    }
  }

  bool has_ended() const { return has_ended_; }
  std::uint64_t lines_end() const { return lines_end_; }
  std::uint64_t read_end() const { return read_end_; }

 private:
  std::uint64_t free_bytes() const { return bytes_ - (read_end_ - text_begin_) - lines_ * kLineBytes; }

  void read(std::uint64_t bytes) {
    for (std::uint64_t left = bytes; left > 0 && !has_ended_;) {
      const std::span<std::byte> piece = std::span(piece_).first(std::min<std::uint64_t>(left, kReadBytes));
      const std::size_t got = file_.read_at(read_end_, piece);
      has_ended_ = got < piece.size();
      find_lines(piece.first(got));
      left -= got;
    }
  }

  void find_lines(std::span<const std::byte> text) {
    for (auto at = text.begin(); (at = std::find(at, text.end(), delimiter_)) != text.end();) {
      ++at;
      ++lines_;
      lines_end_ = read_end_ + static_cast<std::uint64_t>(at - text.begin());
    }
    read_end_ += text.size();
  }

  File& file_;
  std::byte delimiter_;
  std::uint64_t bytes_;
  std::vector<std::byte> piece_ = std::vector<std::byte>(kReadBytes);
  std::uint64_t text_begin_ = 0;
  std::uint64_t lines_end_ = 0;  // end of the complete lines
  std::uint64_t read_end_ = 0;
  std::uint64_t lines_ = 0;  // number of lines in the buffer
  bool has_ended_ = false;
};

/// Checks inputs, one after the other, as far as they are in order.
class CheckJob {
 public:
  CheckJob(FileSystem& files, const SortOptions& options, Observer& observer)
      : observer_(observer),
        standard_input_(files, options),
        opener_(files, options),
        spec_(resolve(options, opener_.find_header(options.inputs))),
        budget_(memory_budget(spec_, std::nullopt)),
        scan_(*spec_.codec, options.unique),
        buffer_(first_buffer_bytes(budget_, spec_.options.format.record_bytes)) {}

  std::optional<Disorder> find_disorder() {
    std::optional<Disorder> disorder;
    for (const std::string& path : spec_.options.inputs) {
      if (!disorder) disorder = find_disorder_in(path);
    }
    report_assumptions(spec_.options, list_assumptions(opener_, observer_));
    return disorder;
  }

 private:
  std::optional<Disorder> find_disorder_in(const std::string& path) {
    const auto reader = std::make_shared<RecordReader>(
        InputSequence(opener_, {path}, spec_.input_format, Waiting::kUntilFull, observer_), spec_.input_format, false,
        observer_);
    const auto source = sortable(reader, *spec_.codec, encoding_budget(budget_.memory_bytes, budget_.most_bytes),
                                 observer_, {bytes_before_}, false);
    scan_.begin_input(path, reader->inputs().header_records(), reader->inputs().header_bytes());
    while (true) {
      const PieceSource::Piece piece = source->read(buffer_.bytes(), ~std::uint64_t{0});
      if (piece.status == PieceSource::Status::kEnd) break;
      if (piece.status == PieceSource::Status::kTooSmall) {
        make_room_for_record(buffer_, budget_, *source);
        continue;
      }
      const auto span = observer_.span("check order", piece.bytes);
      auto disorder = scan_.next(buffer_.bytes().first(piece.bytes), piece.input_bytes);
      if (!disorder) continue;
      // Offsets in unpacked input are not offsets in the file.
      if (reader->total_bytes()) standard_input_.leave_behind(*disorder, spec_.input_format);
      return disorder;
    }
    bytes_before_ += reader->totals().bytes;
    return std::nullopt;
  }

  Observer& observer_;
  StandardInput standard_input_;
  InputOpener opener_;
  const SortSpec spec_;
  const MemoryBudget budget_;
  OrderScan scan_;
  std::uint64_t bytes_before_ = 0;  // of the inputs checked so far
  MemoryRegion buffer_;
};

}  // namespace

std::optional<Disorder> find_disorder_in_inputs(FileSystem& files, const SortOptions& options) {
  if (options.format.shuffle) throw Error("a shuffled output has no order that could be checked");
  if (options.grouping) throw Error("a check makes no groups: leave them out");
  refuse_shared_targets_of_check(files, options);
  const auto observer = open_observer(files, options, !assumes_year(options));
  observer->begin_phase("checking", 0);
  std::optional<Disorder> disorder =
      CheckJob(files, with_progress_cleared(with_order_settled(options), *observer), *observer).find_disorder();
  observer->finish();
  return disorder;
}

std::uint64_t position_after_check(File& file, char delimiter, std::uint64_t line_end, std::uint64_t buffer_bytes) {
  LineBuffer buffer(file, delimiter, std::max(buffer_bytes, kLeastBufferBytes));
  while (!buffer.has_ended() && buffer.lines_end() < line_end) buffer.fill();
  return buffer.read_end();
}

}  // namespace sortie
