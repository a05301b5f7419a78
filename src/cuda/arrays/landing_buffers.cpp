#include "cuda/arrays/landing_buffers.hpp"

#include <cassert>
#include <chrono>
#include <utility>

namespace sortie::cuda {

LandingBuffers::LandingBuffers(std::span<std::byte> memory, int device)
    : memory_(memory), lanes_{DeviceThread(device), DeviceThread(device)} {}

LandingBuffers::~LandingBuffers() {
  for (const std::future<void>& emptied : emptied_) {
    if (emptied.valid()) emptied.wait();
  }
}

bool LandingBuffers::has_free() const {
  const std::future<void>& emptied = emptied_[taken_ % kCount];
  return !emptied.valid() || emptied.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::span<std::byte> LandingBuffers::take() {
  assert(taken_ - given_back_ < kCount);
  const std::size_t buffer = taken_++ % kCount;
  if (emptied_[buffer].valid()) emptied_[buffer].get();
  const std::size_t bytes = memory_.size() / kCount;
  return memory_.subspan(buffer * bytes, bytes);
}

void LandingBuffers::empty(std::function<void()> work) {
  assert(given_back_ < taken_);
  const std::uint64_t turn = given_back_++;
  emptied_[turn % kCount] = lanes_[turn % kLanes].post(std::move(work));
}

void LandingBuffers::wait() {
  for (std::future<void>& emptied : emptied_) {
    if (emptied.valid()) emptied.get();
  }
}

}  // namespace sortie::cuda
