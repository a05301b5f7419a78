#include "io/output/batch_output.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/size.hpp"

namespace sortie {

void PieceBatch::begin(const PieceBatch& before) {
  const std::span<const std::byte> known(before.bytes_);
  known_bytes_ = std::min(known.size(), sizes_.dictionary_bytes);
  bytes_.assign(known.end() - static_cast<std::ptrdiff_t>(known_bytes_), known.end());
}

void PieceBatch::take(std::span<const std::byte>& bytes) {
  const std::size_t batch_bytes = sizes_.batch_pieces * sizes_.piece_bytes;
  bytes_.reserve(sizes_.dictionary_bytes + batch_bytes);
  const auto taken = bytes.first(std::min(batch_bytes - this->bytes().size(), bytes.size()));
  const std::size_t before = bytes_.size();
  bytes_.resize(before + taken.size());
  copy_in_parallel(std::span(bytes_).subspan(before), taken);
  bytes = bytes.subspan(taken.size());
  packed_.resize(std::max(packed_.size(), pieces()));
}

std::size_t PieceBatch::pieces() const { return divide_up(bytes().size(), sizes_.piece_bytes); }

std::span<const std::byte> PieceBatch::piece(std::size_t i) const {
  const std::span<const std::byte> from = bytes().subspan(i * sizes_.piece_bytes);
  return from.first(std::min(sizes_.piece_bytes, from.size()));
}

std::span<const std::byte> PieceBatch::dictionary(std::size_t i) const {
  const std::size_t end = known_bytes_ + i * sizes_.piece_bytes;
  const std::size_t bytes = std::min(end, sizes_.dictionary_bytes);
  return std::span(bytes_).subspan(end - bytes, bytes);
}

void BatchOutput::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (filled_->is_full()) pack_filled();
    filled_->take(bytes);
  }
}

void BatchOutput::finish() {
  if (packing_.valid()) {
    hand_over(true);
    write_pieces(*packed_, packing_.get());
  } else {
    write_pieces(*filled_, packer_->pack(*filled_, true));
  }
  packer_->write_end(target());
  target().finish();
}

void BatchOutput::pack_filled() {
  if (is_alone()) {
    write_pieces(*filled_, packer_->pack(*filled_, false));
    std::swap(filled_, packed_);
  } else {
    hand_over(false);
  }
  filled_->begin(*packed_);
}

// What was handed over before is written while this is packed.
void BatchOutput::hand_over(bool is_last) {
  const bool has_before = packing_.valid();
  const std::size_t count = has_before ? packing_.get() : 0;
  std::swap(filled_, packed_);
  packing_ = thread_.post([this, is_last] { return packer_->pack(*packed_, is_last); });
  if (has_before) write_pieces(*filled_, count);
}

void BatchOutput::write_pieces(PieceBatch& batch, std::size_t count) {
  if (!std::exchange(has_begun_, true)) packer_->write_begin(target());
  for (std::size_t i = 0; i < count; ++i) target().write(batch.packed(i));
}

}  // namespace sortie
