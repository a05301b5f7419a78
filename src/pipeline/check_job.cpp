#include "pipeline/check_job.hpp"

#include <algorithm>

#include "base/memory_region.hpp"
#include "pipeline/job_setup.hpp"
#include "pipeline/order_scan.hpp"

namespace sortie {
namespace {

constexpr std::uint64_t kPieceBytes = 32 << 20;

std::uint64_t first_buffer_bytes(const ResolvedOptions& resolved) {
  return std::max(resolved.options.format.record_bytes, std::min(resolved.memory_bytes / 2, kPieceBytes));
}

}  // namespace

std::optional<Disorder> find_disorder_in_inputs(FileSystem& files, const SortOptions& options) {
  const ResolvedOptions resolved = resolve(options);
  const RecordOrder order(options.format);
  Observer observer(options.progress, options.trace_path);
  observer.begin_phase("checking", 0);
  OrderScan scan(order, options.unique);
  MemoryRegion buffer(first_buffer_bytes(resolved));
  for (const std::string& path : resolved.options.inputs) {
    RecordReader reader(files, {path}, options.format, false, observer);
    scan.begin_input(path);
    while (true) {
      const RecordReader::Piece piece = reader.read(buffer.bytes(), ~std::uint64_t{0});
      if (piece.status == RecordReader::Status::kEnd) break;
      if (piece.status == RecordReader::Status::kTooSmall) {
        // The reader keeps as much again of an unfinished record.
        const std::uint64_t larger = std::min(2 * buffer.size(), resolved.memory_bytes / 2);
        if (larger <= buffer.size()) {
          throw Error(reader.position() + ": a record is longer than half the memory; raise it with --buffer-size");
        }
        buffer = MemoryRegion(larger);
        continue;
      }
      const auto span = observer.span("check order", piece.bytes);
      if (auto disorder = scan.next(buffer.bytes().first(piece.bytes))) return disorder;
    }
  }
  observer.finish();
  return std::nullopt;
}

}  // namespace sortie
