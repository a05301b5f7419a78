#include "pipeline/input/deferred_input.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace sortie {

DeferredInput::DeferredInput(std::string path, Open open) : path_(std::move(path)), open_(std::move(open)) {}

DeferredInput::DeferredInput(std::string path, Open open, std::unique_ptr<Input> open_now)
    : path_(std::move(path)),
      open_(std::move(open)),
      input_(std::move(open_now)),
      size_(input_->size()),
      unpacking_bytes_(input_->unpacking_bytes()),
      begin_(input_->begin()),
      numbering_(input_->numbering()) {}

Input& DeferredInput::opened() {
  if (!input_) {
    input_ = open_(path_);
    numbering_ = input_->numbering();
  }
  return *input_;
}

std::size_t DeferredInput::end_if_less(std::size_t got, std::size_t wanted) {
  if (got == wanted) return got;
  has_ended_ = true;
  // It must not be opened for that once more: another may read a pipe then, or nobody ever write to it again.
  if (!begin_) begin_ = input_->begin();
  input_.reset();
  return got;
}

// Nothing of this input has been given yet, so that an Error may wait: whoever reads gets it in its place.
void DeferredInput::unpack_ahead(std::size_t bytes, std::size_t most_bytes) {
  if (has_ended_ || failure_) return;
  try {
    if (ahead_.size() == 0) ahead_ = MemoryRegion(most_bytes);
    const std::span<std::byte> target = ahead_.bytes().subspan(ahead_end_);
    const std::size_t wanted = std::min(bytes, target.size());
    ahead_end_ += end_if_less(opened().read(target.first(wanted)), wanted);
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::size_t DeferredInput::take_unpacked(std::span<std::byte> target) {
  const std::size_t bytes = std::min(target.size(), unpacked_bytes());
  copy_in_parallel(target, ahead_.bytes().subspan(ahead_begin_, bytes));
  ahead_begin_ += bytes;
  if (unpacked_bytes() == 0) ahead_ = MemoryRegion();
  return bytes;
}

std::size_t DeferredInput::read(std::span<std::byte> target) {
  const std::size_t taken = unpacked_bytes() > 0 ? take_unpacked(target) : 0;
  if (taken == target.size()) return taken;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  const std::span<std::byte> rest = target.subspan(taken);
  return taken + (has_ended_ ? 0 : end_if_less(opened().read(rest), rest.size()));
}

std::size_t DeferredInput::read_some(std::span<std::byte> target) {
  if (is_packed_file()) return read(target);
  if (has_ended_) return 0;
  const std::size_t got = opened().read_some(target);
  return got == 0 ? end_if_less(got, target.size()) : got;
}

std::size_t DeferredInput::read_slices(std::span<std::byte> target, const SliceSink& sink) {
  if (is_packed_file()) return read(target);
  return has_ended_ ? 0 : end_if_less(opened().read_slices(target, sink), target.size());
}

std::unique_ptr<InputMapping> DeferredInput::map(std::span<std::byte> target, const SliceSink& sink) {
  return has_ended_ ? nullptr : opened().map(target, sink);
}

void DeferredInput::skip(std::uint64_t bytes) { opened().skip(bytes); }

std::uint64_t DeferredInput::begin() {
  if (!begin_) begin_ = opened().begin();
  return *begin_;
}

std::size_t DeferredInput::peek(std::uint64_t distance, std::span<std::byte> target) {
  return has_ended_ || !size_ ? 0 : opened().peek(distance, target);
}

}  // namespace sortie
