// The door: sort files that are larger than memory.
//
//   sortie::SortOptions options;
//   options.format = sortie::parse_format("gensort");
//   options.inputs = {"big.dat"};
//   options.output = "sorted.dat";
//   sortie::SortReport report = sortie::sort(options);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/format.hpp>
#include <sortie/options.hpp>
#include <sortie/report.hpp>

namespace sortie {

/// Sorts the inputs into the output. Stable: records with equal keys keep their input order, and the bytes written do
/// not depend on engine, memory or thread count. The output is written beside the target and renamed when complete, so
/// on any error the target is as it was. A target that must not be replaced by a rename is copied over at the end; if
/// that copy fails, the error says where the complete result is. No file with another use is replaced: the files of the
/// options must all be different, except that the output may be an input. Blocks until done. Throws Error and nothing
/// else, whatever goes wrong, but for what a source, sink or `watch` throws that is no std::exception. Never leaves
/// scratch files. Uses its own threads, so parallel work of the calling program continues as before. Several sorts may
/// run at the same time.
SortReport sort(const SortOptions& options);

/// What sort() would do: engine, memory, chunks, expected runs and the scratch space they need.
/// Reads sizes, and headers if columns have names, but nothing of a source. Several lines of text. Throws Error where
/// sort() would refuse to start.
std::string plan(const SortOptions& options);

/// Which GPUs to show CUDA. It starts every GPU that it sees, a quarter of a second each, before the first one can be
/// used.
struct NarrowedDevices {
  std::string visible;       ///< value for the environment variable CUDA_VISIBLE_DEVICES: the GPUs that the sort uses
  std::vector<int> devices;  ///< value for SortOptions::devices then: CUDA renumbers the visible GPUs
};

/// What to show CUDA so that sort() does not wait for GPUs that it does not use; nothing if there is none to hide. For
/// programs that may change their environment: call it before the first call of CUDA, while the process has one thread.
/// Starts nothing. Throws Error where sort() would refuse the options.
std::optional<NarrowedDevices> narrow_devices(const SortOptions& options);

/// The first place where the inputs, read one after another, are out of order.
struct Disorder {
  std::string input;         ///< path, or "-"
  std::uint64_t record = 0;  ///< 1-based number within that input
  std::uint64_t offset = 0;  ///< bytes from the start of that input
  std::string text;          ///< the line without its delimiter; the length-prefixed record; others: empty
};

/// Checks that the inputs are sorted (and free of equal keys, if options.unique). Throws Error if they
/// cannot be read, and for options of which a check makes nothing, such as count, top or a report.
std::optional<Disorder> check(const SortOptions& options);

}  // namespace sortie
