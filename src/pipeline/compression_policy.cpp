#include "pipeline/compression_policy.hpp"

namespace sortie {
namespace {

// Every so many parts the way not taken is measured again, for disks slow down once their caches are full.
constexpr unsigned kProbeInterval = 32;
constexpr double kDecodeCost = 0.25;

}  // namespace

bool compression_pays(const CompressionEvidence& evidence) {
  if (evidence.encoded_bytes == 0 || evidence.written_bytes == 0) return false;
  const double encode_cost = evidence.encode_seconds / static_cast<double>(evidence.encoded_bytes);
  const double write_cost = evidence.write_seconds / static_cast<double>(evidence.written_bytes);
  const double ratio = static_cast<double>(evidence.encoded_size) / static_cast<double>(evidence.encoded_bytes);
  return encode_cost * (1 + kDecodeCost) + 2 * ratio * write_cost < 2 * write_cost;
}

CompressionPolicy::CompressionPolicy(const SortOptions& options, bool scratch_is_short)
    : mode_(options.compression),
      level_(options.compression_level == 0 ? 1 : options.compression_level),
      scratch_is_short_(scratch_is_short) {}

CompressionPolicy::Choice CompressionPolicy::next() {
  const Choice raw{BlockCodec::kRaw, level_};
  // Where records are too long or of no fixed length for it, the writer takes plain zstd.
  const Choice compressed{BlockCodec::kDeltaShuffleZstd, level_};
  if (mode_ != Compression::kAuto) return mode_ == Compression::kZstd ? compressed : raw;
  if (scratch_is_short_) return compressed;
  const std::scoped_lock lock(mutex_);
  const bool pays = compression_pays(evidence_);
  const unsigned turn = decisions_++ % kProbeInterval;
  if (turn == 0) return pays ? raw : compressed;
  return pays ? compressed : raw;
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

}  // namespace sortie
