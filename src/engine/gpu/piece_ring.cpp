#include "engine/gpu/piece_ring.hpp"

#include "device/cuda_error.hpp"

namespace sortie::gpu {

PieceRing::PieceRing(std::uint64_t piece_bytes, unsigned piece_count, unsigned threads)
    : piece_bytes_(piece_bytes), memory_(piece_bytes * piece_count, threads), copied_(piece_count) {}

std::span<std::byte> PieceRing::acquire() {
  copied_[next_].synchronize();
  return memory_.bytes().subspan(next_ * piece_bytes_, piece_bytes_);
}

void PieceRing::submit(std::byte* target, std::size_t bytes, const CudaStream& stream) {
  check_cuda(
      cudaMemcpyAsync(target, memory_.data() + next_ * piece_bytes_, bytes, cudaMemcpyHostToDevice, stream.handle()),
      "copying a piece to the GPU");
  copied_[next_].record(stream.handle());
  next_ = (next_ + 1) % copied_.size();
}

}  // namespace sortie::gpu
