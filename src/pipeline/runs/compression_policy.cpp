#include "pipeline/runs/compression_policy.hpp"

#include <algorithm>

namespace sortie {
namespace {

// While parts are stored raw, compression is tried on the first one and then again after so many parts, twice as many
// each time: records change along the input, but not often. The speed of the disk is measured with every part.
constexpr unsigned kFirstTrialInterval = 16;
constexpr unsigned kLongestTrialInterval = 1024;
constexpr double kDecodeCost = 0.25;

}  // namespace

bool compression_pays(const CompressionEvidence& evidence) {
  if (evidence.encoded_bytes == 0 || evidence.written_bytes == 0) return false;
  const double encode_cost = evidence.encode_seconds / static_cast<double>(evidence.encoded_bytes);
  const double write_cost = evidence.write_seconds / static_cast<double>(evidence.written_bytes);
  const double ratio = static_cast<double>(evidence.encoded_size) / static_cast<double>(evidence.encoded_bytes);
  return encode_cost * (1 + kDecodeCost) + 2 * ratio * write_cost < 2 * write_cost;
}

CompressionPolicy::CompressionPolicy(const SortOptions& options, Scratch scratch)
    : by_program_(options.compress_program.has_value()),
      mode_(options.compression),
      level_(options.compression_level == 0 ? 1 : options.compression_level),
      scratch_(scratch),
      trial_interval_(kFirstTrialInterval) {}

CompressionPolicy::Choice CompressionPolicy::next() {
  const Choice raw{BlockCodec::kRaw, level_, false};
  if (never_compresses()) return raw;
  // If records are too long for it or have no fixed length, the writer takes plain zstd.
  const Choice compressed{BlockCodec::kDeltaShuffleZstd, level_, false};
  if (mode_ == Compression::kZstd || scratch_.is_short) return compressed;
  const std::scoped_lock lock(mutex_);
  if (compression_pays(evidence_)) return compressed;
  return {raw.codec, raw.zstd_level, trial_is_due()};
}

bool CompressionPolicy::never_compresses() const {
  if (by_program_ || mode_ == Compression::kNone) return true;  // the program does it
  return mode_ == Compression::kAuto && scratch_.lies_in_memory && !scratch_.is_short;
}

bool CompressionPolicy::trial_is_due() {
  if (parts_to_trial_-- > 0) return false;
  parts_to_trial_ = trial_interval_ - 1;
  trial_interval_ = std::min(2 * trial_interval_, kLongestTrialInterval);
  return true;
}

void CompressionPolicy::record(const Choice& choice, std::uint64_t record_bytes, std::uint64_t stored_bytes,
                               double encode_seconds, double write_seconds) {
  const std::scoped_lock lock(mutex_);
  if (choice.codec != BlockCodec::kRaw) {
    evidence_.encoded_bytes += record_bytes;
    evidence_.encoded_size += stored_bytes;
    evidence_.encode_seconds += encode_seconds;
  }
  evidence_.written_bytes += stored_bytes;
  evidence_.write_seconds += write_seconds;
}

void CompressionPolicy::record_trial(std::uint64_t record_bytes, std::uint64_t encoded_bytes, double encode_seconds) {
  const std::scoped_lock lock(mutex_);
  evidence_.encoded_bytes += record_bytes;
  evidence_.encoded_size += encoded_bytes;
  evidence_.encode_seconds += encode_seconds;
}

}  // namespace sortie
