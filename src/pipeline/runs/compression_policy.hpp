// Decides block by block of evidence whether run files are worth compressing: compress while it makes the
// sort faster or the scratch space needs it, never otherwise.
#pragma once

#include <cstdint>
#include <mutex>

#include <sortie/options.hpp>

#include "run/run.hpp"

namespace sortie {

/// What was seen so far. Seconds are wall seconds of the whole stage, with all its threads.
struct CompressionEvidence {
  std::uint64_t encoded_bytes = 0;  ///< records that went into zstd
  std::uint64_t encoded_size = 0;   ///< what came out
  double encode_seconds = 0;
  std::uint64_t written_bytes = 0;  ///< to scratch files
  double write_seconds = 0;
};

/// Whether storing a byte of records through zstd takes less time than storing it as it is, counting that
/// it is written once and read once and that decoding is four times as fast as encoding. Pure.
bool compression_pays(const CompressionEvidence& evidence);

class CompressionPolicy {
 public:
  /// `scratch_is_short`: the runs may not fit the scratch space uncompressed.
  CompressionPolicy(const SortOptions& options, bool scratch_is_short);

  struct Choice {
    BlockCodec codec = BlockCodec::kRaw;
    int zstd_level = 1;
    /// Some blocks of this part are to be compressed to see what that gives (record_trial()), though none is stored so.
    bool needs_trial = false;
  };
  /// For the next part of a run file.
  Choice next();

  /// How a part was stored.
  void record(const Choice& choice, std::uint64_t record_bytes, std::uint64_t stored_bytes, double encode_seconds,
              double write_seconds);
  /// What compressing `record_bytes` came to.
  void record_trial(std::uint64_t record_bytes, std::uint64_t encoded_bytes, double encode_seconds);

 private:
  bool trial_is_due();

  bool by_program_;
  Compression mode_;
  int level_;
  bool scratch_is_short_;
  std::mutex mutex_;
  CompressionEvidence evidence_;
  unsigned parts_to_trial_ = 0;  ///< as long as parts are stored raw
  unsigned trial_interval_;
};

}  // namespace sortie
