#include "io/input/packed_input.hpp"

#include <algorithm>
#include <utility>

#include "base/release_memory.hpp"

namespace sortie {

PackedInput::PackedInput(ByteSource source, std::size_t packed_bytes, std::size_t most_step_bytes)
    : source_(std::move(source)), packed_(packed_bytes), path_(source_.path()), most_step_bytes_(most_step_bytes) {}

std::size_t PackedInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && !ended_) {
    throw_if_stopped();
    done += unpack(target.subspan(done, std::min(target.size() - done, most_step_bytes_)));
  }
  return done;
}

bool PackedInput::fill() {
  std::copy(left_.begin(), left_.end(), packed_.begin());
  const std::span<std::byte> room = std::span(packed_).subspan(left_.size());
  const std::size_t got = source_.read(room);
  source_ended_ = got < room.size();
  left_ = std::span<const std::byte>(packed_).first(left_.size() + got);
  return got != 0;
}

void PackedInput::end() {
  ended_ = true;
  left_ = {};
  release_memory(packed_);
}

}  // namespace sortie
