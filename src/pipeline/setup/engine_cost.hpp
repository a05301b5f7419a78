// What a sort costs on the CPU engine and what on the GPU engine, as far as the two differ: reading, checking
// and writing are the same for both. --engine=auto takes the cheaper one. Pure: numbers in, numbers out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sortie {

struct EngineCostInput {
  std::optional<std::uint64_t> input_bytes;  ///< nothing if unknown
  std::uint64_t record_bytes = 0;            ///< 0 for lines
  unsigned threads = 1;
  unsigned gpus = 1;  ///< available GPUs; 0 counts as 1
};

/// Seconds of sorting that delay the output.
struct EngineCosts {
  double cpu_seconds = 0;
  double gpu_seconds = 0;  ///< starting CUDA on `gpus` included
  unsigned gpus = 1;       ///< number of GPUs with which the sort finishes first

  bool gpu_pays() const { return gpu_seconds < cpu_seconds; }
};

EngineCosts estimate_engine_costs(const EngineCostInput& input);

/// The estimate in a few words, for --plan and --stats: "sorting takes about 2.5 s on the CPU, 0.5 s on a GPU", or
/// "on 2 GPUs".
std::string describe(const EngineCosts& costs);

}  // namespace sortie
