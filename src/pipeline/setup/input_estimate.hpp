// What is known of the inputs of a job before they are sorted: sizes, and what a sample of lines shows. Plans follow
// from it. Pure: bytes in, numbers out; JobInputs takes the sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "pipeline/setup/sort_spec.hpp"
#include "record/text/record_codec.hpp"

namespace sortie {

/// Sizes of records in the form in which they are sorted: lines may be encoded.
struct InputEstimate {
  std::optional<std::uint64_t> bytes;  ///< total, rather too high; nothing if the inputs' size is unknown
  std::uint64_t record_bytes = 0;      ///< average per record, rather too low; 0 if unknown
  /// Memory that the inputs take beside records: a mapped one that these refer to, or packed ones that are unpacked
  /// before their turn.
  std::uint64_t held_bytes = 0;
};

struct InputSizes {
  std::optional<std::uint64_t> bytes;         ///< all inputs as they are read; nothing if unknown
  std::optional<std::uint64_t> stored_bytes;  ///< the files, packed or not; nothing if unknown, or if `bytes` suffice
  std::uint64_t resumed_bytes = 0;            ///< what an earlier attempt has read of them
  InputEstimate sorted;
  MemoryBudget budget = {};  ///< follows from the sizes, too
};

/// Size of the sample of inputs of `input_bytes`, from their beginning.
std::size_t estimate_sample_bytes(std::uint64_t input_bytes);

/// `bytes`: all inputs. `sample`: whole records of them, empty if there are none to be seen; needed for lines only.
InputEstimate estimate_input(std::optional<std::uint64_t> bytes, std::span<const std::byte> sample,
                             const RecordCodec& codec);

}  // namespace sortie
