#include "device/piece_ring.hpp"

#include "device/copy.hpp"

namespace sortie {

PieceRing::PieceRing(std::uint64_t piece_bytes, unsigned piece_count, unsigned threads)
    : piece_bytes_(piece_bytes), memory_(piece_bytes * piece_count, threads), copied_(piece_count) {}

std::span<std::byte> PieceRing::acquire() {
  copied_[next_].synchronize();
  return memory_.bytes().subspan(next_ * piece_bytes_, piece_bytes_);
}

void PieceRing::submit(std::byte* target, std::size_t bytes, const CudaStream& stream) {
  copy_to_device(target, memory_.data() + next_ * piece_bytes_, bytes, stream);
  copied_[next_].record(stream);
  next_ = (next_ + 1) % copied_.size();
}

}  // namespace sortie
