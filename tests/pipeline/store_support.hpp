// A run store with a scratch directory of its own, and runs made by it.
#pragma once

#include "engine/cpu/cpu_engine.hpp"
#include "io/files/scratch.hpp"
#include "pipeline/pipeline_support.hpp"
#include "pipeline/runs/compression_policy.hpp"
#include "pipeline/runs/run_store.hpp"
#include "record/record_scan.hpp"
#include "support/run_contents.hpp"

namespace sortie::test {

inline SortOptions options_of(const Format& format, Compression compression = Compression::kNone,
                              const std::optional<std::string>& compress_program = {}) {
  SortOptions options;
  options.format = format;
  options.compression = compression;
  options.compress_program = compress_program;
  return options;
}

class StoreForTest {
 public:
  StoreForTest(const Format& wanted_format, const RunStore::Options& options,
               Compression compression = Compression::kNone, FileSystem* files = nullptr, MemoryPinner pin = {},
               const std::string& scratch_directory = {})
      : codec(RecordCodec::plain(wanted_format)),
        scratch(files != nullptr ? *files : *own_files_,
                {scratch_directory.empty() ? directory_.path().string() : scratch_directory}),
        store(codec, scratch,
              std::make_unique<CompressionPolicy>(options_of(wanted_format, compression, options.program),
                                                  CompressionPolicy::Scratch{}),
              options, observer, std::move(pin)) {}

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<FileSystem> own_files_ = make_posix_file_system();

 public:
  RecordCodec codec;
  const Format& format = codec.sorted_format();
  const RecordOrder& order = codec.order();
  SilentObserver observer;
  ScratchSpace scratch;
  RunStore store;

  std::uint64_t scratch_peak_bytes() const {
    WorkReport report;
    observer.describe(report);
    return report.scratch_peak_bytes;
  }

  /// Stores sorted records, in parts of `part_bytes` or more.
  Run store_run(std::string sorted, std::size_t part_bytes = 10'000) {
    const auto sink = store.begin_run(sorted.size());
    std::span<std::byte> rest = as_writable(sorted);
    while (!rest.empty()) {
      const std::size_t bytes = boundary_at_or_after(order.layout(), rest, std::min(part_bytes, rest.size()));
      sink->append(rest.first(bytes));
      rest = rest.subspan(bytes);
    }
    return sink->finish();
  }

  std::vector<Run> store_runs(const std::vector<std::string>& sorted) {
    std::vector<Run> runs;
    for (const std::string& range : sorted) runs.push_back(store_run(range));
    return runs;
  }
};

}  // namespace sortie::test
