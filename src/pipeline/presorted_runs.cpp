#include "pipeline/presorted_runs.hpp"

#include <algorithm>
#include <optional>

#include <sortie/error.hpp>

#include "base/memory_region.hpp"
#include "pipeline/order_scan.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kPieceBytes = 16 << 20;
// Asked for when the length of an input is unknown: more than any memory budget, so it goes to a file.
constexpr std::uint64_t kUnknownBytes = ~std::uint64_t{0};

// Reads one input into a run, checking its order on the way.
class PresortedInput {
 public:
  PresortedInput(FileSystem& files, const std::string& path, const ResolvedOptions& resolved, Observer& observer)
      : path_(path),
        order_(resolved.options.format),
        reader_(files, {path}, resolved.options.format, resolved.options.verify, observer),
        scan_(order_, false) {
    scan_.begin_input(path);
  }

  /// Nothing if the input is no plain file.
  std::optional<std::uint64_t> bytes() const { return reader_.total_bytes(); }
  const RecordTotals& totals() const { return reader_.totals(); }

  void copy_to(RunSink& sink, std::span<std::byte> buffer) {
    while (true) {
      const RecordReader::Piece piece = reader_.read(buffer, ~std::uint64_t{0});
      if (piece.status == RecordReader::Status::kEnd) return;
      if (piece.status == RecordReader::Status::kTooSmall) {
        throw Error(reader_.position() +
                    ": a record is longer than the memory for reading; raise it with --buffer-size");
      }
      const std::span<std::byte> records = buffer.first(piece.bytes);
      if (const auto disorder = scan_.next(records)) {
        throw DisorderError("input '" + path_ + "' is not sorted: record " + std::to_string(disorder->record) +
                            " at offset " + std::to_string(disorder->offset) +
                            " is out of order; sort it without --merge");
      }
      sink.append(records);
    }
  }

 private:
  std::string path_;
  RecordOrder order_;
  RecordReader reader_;
  OrderScan scan_;
};

// The input's own file, if its bytes are just the bytes of a run. Nothing for pipes, compressed files and
// an unfinished last line.
std::unique_ptr<File> borrow_file(FileSystem& files, const std::string& path, const PresortedInput& input,
                                  const Format& format) {
  if (path == "-" || !input.bytes()) return nullptr;
  std::unique_ptr<File> file = files.open_input(path);
  if (format.kind != RecordKind::kLines || *input.bytes() == 0) return file;
  std::byte last{};
  file->read_at(*input.bytes() - 1, {&last, 1});
  return last == std::byte(format.delimiter) ? std::move(file) : nullptr;
}

}  // namespace

FormedRuns take_presorted_runs(FileSystem& files, const ResolvedOptions& resolved, const MemoryPlan& plan,
                               RunStore& store, RecordTotals& totals, Observer& observer) {
  FormedRuns formed;
  const std::uint64_t record_bytes = resolved.options.format.record_bytes;
  const MemoryRegion buffer(
      std::max({record_bytes, plan.block_bytes, std::min(plan.formation_bytes / 2, kPieceBytes)}));
  for (const std::string& path : resolved.options.inputs) {
    PresortedInput input(files, path, resolved, observer);
    std::unique_ptr<File> file = borrow_file(files, path, input, resolved.options.format);
    const std::unique_ptr<RunSink> sink =
        file ? store.begin_borrowed_run(std::move(file)) : store.begin_run(input.bytes().value_or(kUnknownBytes));
    input.copy_to(*sink, buffer.bytes());
    Run run = sink->finish();
    totals += input.totals();
    formed.dropped += sink->dropped();
    if (run.record_count == 0) continue;
    formed.runs.push_back(std::move(run));
    formed.spilled += sink->in_memory() ? 0 : 1;
  }
  return formed;
}

}  // namespace sortie
