#include "io/output/packed_output.hpp"

#include <algorithm>

#include "base/size.hpp"

namespace sortie {

void BatchOutput::write(std::span<const std::byte> bytes) {
  const std::size_t batch_bytes = sizes_.batch_pieces * sizes_.piece_bytes;
  while (!bytes.empty()) {
    if (batch().size() == batch_bytes) pack_batch(false);
    bytes_.reserve(sizes_.dictionary_bytes + batch_bytes);
    const auto taken = bytes.first(std::min(batch_bytes - batch().size(), bytes.size()));
    bytes_.insert(bytes_.end(), taken.begin(), taken.end());
    bytes = bytes.subspan(taken.size());
  }
}

void BatchOutput::finish() {
  pack_batch(true);
  write_end();
  target().finish();
}

void BatchOutput::pack_batch(bool is_last) {
  packed_.resize(std::max<std::size_t>({1, packed_.size(), pieces()}));
  pack(is_last);
  known_bytes_ = std::min(bytes_.size(), sizes_.dictionary_bytes);
  bytes_.erase(bytes_.begin(), bytes_.end() - static_cast<std::ptrdiff_t>(known_bytes_));
}

void BatchOutput::write_packed(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) target().write(packed_[i]);
}

std::size_t BatchOutput::pieces() const { return divide_up(batch().size(), sizes_.piece_bytes); }

std::span<const std::byte> BatchOutput::piece(std::size_t i) const {
  const std::span<const std::byte> from = batch().subspan(i * sizes_.piece_bytes);
  return from.first(std::min(sizes_.piece_bytes, from.size()));
}

std::span<const std::byte> BatchOutput::dictionary(std::size_t i) const {
  const std::size_t end = known_bytes_ + i * sizes_.piece_bytes;
  const std::size_t bytes = std::min(end, sizes_.dictionary_bytes);
  return std::span(bytes_).subspan(end - bytes, bytes);
}

}  // namespace sortie
