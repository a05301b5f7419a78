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

/// Sorts the inputs into the output. Stable: records with equal keys keep their input order, and the
/// bytes written do not depend on engine, memory or thread count. The output is written beside the
/// target and renamed when complete, so that on any error the target is as it was.
/// Blocks until done. Throws Error and nothing else, whatever went wrong; leaves no scratch files in any case. Threads
/// are its own: the parallel work of the calling program goes on beside it as before. Sorts may run at the same time.
SortReport sort(const SortOptions& options);

/// What sort() would do: engine, memory, chunks, expected runs and the scratch space they need.
/// Reads sizes only. Several lines of text. Throws Error where sort() would refuse to start.
std::string plan(const SortOptions& options);

/// CUDA starts every GPU that it sees, a quarter of a second each, before the first one can be used.
struct NarrowedDevices {
  std::string visible;       ///< for the environment variable CUDA_VISIBLE_DEVICES: the GPUs that the sort uses
  std::vector<int> devices;  ///< for SortOptions::devices then: CUDA counts anew
};

/// What to show CUDA so that sort() waits for no GPU that it does not use; nothing if there is none to hide. For
/// programs that may change their environment: before the first call of CUDA, and while they have one thread. Starts
/// nothing. Throws Error where sort() would refuse the options.
std::optional<NarrowedDevices> narrow_devices(const SortOptions& options);

/// The first place where the inputs, read one after another, are out of order.
struct Disorder {
  std::string input;         ///< path, or "-"
  std::uint64_t record = 0;  ///< 1-based number within that input
  std::uint64_t offset = 0;  ///< bytes from the start of that input
  std::string text;          ///< lines: the line without its delimiter; others: empty
};

/// Checks that the inputs are sorted (and free of equal keys, if options.unique). Throws Error if
/// they cannot be read.
std::optional<Disorder> check(const SortOptions& options);

}  // namespace sortie
