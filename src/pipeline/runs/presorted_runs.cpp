#include "pipeline/runs/presorted_runs.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "base/memory_region.hpp"
#include "pipeline/input/decorating_reader.hpp"
#include "pipeline/records/order_scan.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kPieceBytes = 16 << 20;
// Asked for when the length of an input is unknown: more than any memory budget, so it goes to a file.
constexpr std::uint64_t kUnknownBytes = ~std::uint64_t{0};
// Of the run that was foreseen: how long another one is, if that has not been enough.
constexpr std::uint64_t kFurtherRunShare = 4;

// One input, piece by piece, its order checked on the way. Lines come decorated if they are sorted that way.
class PresortedInput {
 public:
  /// `first_place`: of its first record, behind those of the inputs before.
  PresortedInput(InputOpener& opener, const std::string& path, const ResolvedOptions& resolved, const MemoryPlan& plan,
                 std::uint64_t first_place, Observer& observer)
      : path_(path),
        order_(resolved.options.format),
        reader_(opener, {path}, resolved.input_format, resolved.options.verify, observer),
        decorating_(decorate_records(reader_, resolved.decorator.get(), plan.decoration, observer, first_place)),
        scan_(order_, false, resolved.decorator.get()) {
    scan_.begin_input(path, resolved.options.header_lines, reader_.header_bytes());
  }

  const RecordReader& reader() const { return reader_; }

  /// The next records, in `buffer`; none at the end. Throws Error if they are out of order.
  std::span<std::byte> next(std::span<std::byte> buffer) {
    PieceSource& source = decorating_ ? *decorating_ : reader_;
    const PieceSource::Piece piece = source.read(buffer, ~std::uint64_t{0});
    if (piece.status == PieceSource::Status::kEnd) return {};
    if (piece.status == PieceSource::Status::kTooSmall) {
      throw Error(source.position() + ": a record is longer than the memory for reading; raise it with --buffer-size");
    }
    const std::span<std::byte> records = buffer.first(piece.bytes);
    if (const auto disorder = scan_.next(records, piece.input_bytes)) {
      throw DisorderError("input '" + escape_unprintable(path_) + "' is not sorted: record " +
                          std::to_string(disorder->record) + " at offset " + std::to_string(disorder->offset) +
                          " is out of order; sort it without --merge");
    }
    return records;
  }

 private:
  std::string path_;
  RecordOrder order_;
  RecordReader reader_;
  std::unique_ptr<PieceSource> decorating_;
  OrderScan scan_;
};

// The input's own file, if its bytes are just the bytes of a run. Nothing for pipes, compressed files, an unfinished
// last line, lines that are decorated, and inputs with a header.
std::unique_ptr<File> borrow_file(FileSystem& files, const std::string& path, const RecordReader& reader,
                                  const ResolvedOptions& resolved) {
  const std::optional<std::uint64_t> bytes = reader.total_bytes();
  if (path == "-" || !bytes || resolved.decorator || resolved.options.header_lines > 0) return nullptr;
  std::unique_ptr<File> file = files.open_input(path);
  if (resolved.input_format.kind != RecordKind::kLines || *bytes == 0) return file;
  std::byte last{};
  file->read_at(*bytes - 1, {&last, 1});
  return last == std::byte(resolved.input_format.delimiter) ? std::move(file) : nullptr;
}

// Where one input goes: to a run, and to further ones if it gets longer than was foreseen.
class InputRuns {
 public:
  InputRuns(RunStore& store, FormedRuns& formed) : store_(store), formed_(formed) {}

  void begin(std::unique_ptr<RunSink> sink, std::uint64_t bytes) {
    sink_ = std::move(sink);
    run_bytes_ = bytes;
    room_bytes_ = bytes;
  }

  void append(std::span<std::byte> records) {
    if (records.size() > room_bytes_) {
      finish();
      const std::uint64_t bytes = std::max<std::uint64_t>(records.size(), run_bytes_ / kFurtherRunShare);
      begin(store_.begin_run(bytes), bytes);
    }
    room_bytes_ -= records.size();
    sink_->append(records);
  }

  void finish() {
    Run run = sink_->finish();
    formed_.dropped += sink_->dropped();
    if (run.record_count == 0) return;
    formed_.runs.push_back(std::move(run));
    formed_.spilled += sink_->in_memory() ? 0 : 1;
  }

 private:
  RunStore& store_;
  FormedRuns& formed_;
  std::unique_ptr<RunSink> sink_;
  std::uint64_t run_bytes_ = 0;
  std::uint64_t room_bytes_ = 0;  // of them, left
};

// What its run will have at the most, as far as that is known: a last line may yet get its delimiter.
std::uint64_t run_bytes_of(const PresortedInput& input, const ResolvedOptions& resolved) {
  const auto bytes = estimate_input(resolved, input.reader()).bytes;
  if (!bytes) return kUnknownBytes;
  return *bytes + (resolved.input_format.kind == RecordKind::kLines ? 1 : 0);
}

}  // namespace

void check_presorted_inputs(FileSystem& files, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (path != "-" && files.status(path).kind != FileStatus::Kind::kStream) files.open_input(path);
  }
}

FormedRuns take_presorted_runs(FileSystem& files, InputOpener& opener, const ResolvedOptions& resolved,
                               const MemoryPlan& plan, RunStore& store, RecordTotals& totals, Observer& observer) {
  FormedRuns formed;
  const std::uint64_t record_bytes = resolved.options.format.record_bytes;
  const MemoryRegion buffer(
      std::max({record_bytes, plan.block_bytes, std::min(plan.formation_bytes / 2, kPieceBytes)}));
  for (const std::string& path : resolved.options.inputs) {
    PresortedInput input(opener, path, resolved, plan, totals.bytes, observer);
    InputRuns runs(store, formed);
    if (std::unique_ptr<File> file = borrow_file(files, path, input.reader(), resolved)) {
      runs.begin(store.begin_borrowed_run(std::move(file)), kUnknownBytes);
    } else {
      const std::uint64_t bytes = run_bytes_of(input, resolved);
      runs.begin(store.begin_run(bytes), bytes);
    }
    while (true) {
      const std::span<std::byte> records = input.next(buffer.bytes());
      if (records.empty()) break;
      runs.append(records);
    }
    runs.finish();
    totals += input.reader().totals();
  }
  return formed;
}

}  // namespace sortie
