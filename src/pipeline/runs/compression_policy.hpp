// Decides part by part, from what has been measured, whether to compress run files: only if that makes the sort faster,
// or if the scratch space needs it. Never for files in memory that has room: packing takes longer than writing there.
#pragma once

#include <cstdint>
#include <mutex>

#include <sortie/options.hpp>

#include "run/run.hpp"

namespace sortie {

/// Measurements so far. Seconds are wall seconds of the whole stage, with all its threads.
struct CompressionEvidence {
  std::uint64_t encoded_bytes = 0;  ///< records that were compressed
  std::uint64_t encoded_size = 0;   ///< what they were compressed to
  double encode_seconds = 0;
  std::uint64_t written_bytes = 0;  ///< to scratch files
  double write_seconds = 0;
};

/// Whether storing a byte of records through zstd takes less time than storing it as it is, counting that
/// it is written once and read once and that decoding is four times as fast as encoding. Pure.
bool compression_pays(const CompressionEvidence& evidence);

class CompressionPolicy {
 public:
  struct Scratch {
    bool is_short = false;        ///< the runs may not fit it uncompressed
    bool lies_in_memory = false;  ///< see FreeSpace
  };
  CompressionPolicy(const SortOptions& options, Scratch scratch);

  /// Whether no part is compressed, come what may.
  bool never_compresses() const;

  struct Choice {
    BlockCodec codec = BlockCodec::kRaw;
    int zstd_level = 1;
    /// Some blocks of this part are to be compressed as a trial (record_trial()), although none is stored compressed.
    bool needs_trial = false;
  };
  /// The choice for the next part of a run file.
  Choice next();

  /// Records how a part was stored.
  void record(const Choice& choice, std::uint64_t record_bytes, std::uint64_t stored_bytes, double encode_seconds,
              double write_seconds);
  /// Records the result of a trial with `record_bytes`.
  void record_trial(std::uint64_t record_bytes, std::uint64_t encoded_bytes, double encode_seconds);

 private:
  bool trial_is_due();

  bool by_program_;
  Compression mode_;
  int level_;
  Scratch scratch_;
  std::mutex mutex_;
  CompressionEvidence evidence_;
  unsigned parts_to_trial_ = 0;  ///< parts before the next trial, while parts are stored raw
  unsigned trial_interval_;
};

}  // namespace sortie
