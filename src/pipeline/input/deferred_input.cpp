#include "pipeline/input/deferred_input.hpp"

#include <utility>

namespace sortie {

DeferredInput::DeferredInput(std::string path, Open open) : path_(std::move(path)), open_(std::move(open)) {}

DeferredInput::DeferredInput(std::string path, Open open, std::unique_ptr<Input> open_now)
    : path_(std::move(path)),
      open_(std::move(open)),
      input_(std::move(open_now)),
      size_(input_->size()),
      begin_(input_->begin()) {}

Input& DeferredInput::opened() {
  if (!input_) input_ = open_();
  return *input_;
}

std::size_t DeferredInput::end_if_less(std::size_t got, std::size_t wanted) {
  if (got == wanted) return got;
  has_ended_ = true;
  input_.reset();
  return got;
}

std::size_t DeferredInput::read(std::span<std::byte> target) {
  return has_ended_ ? 0 : end_if_less(opened().read(target), target.size());
}

std::size_t DeferredInput::read_some(std::span<std::byte> target) {
  if (has_ended_) return 0;
  const std::size_t got = opened().read_some(target);
  return got == 0 ? end_if_less(got, target.size()) : got;
}

std::size_t DeferredInput::read_slices(std::span<std::byte> target, const SliceSink& sink) {
  return has_ended_ ? 0 : end_if_less(opened().read_slices(target, sink), target.size());
}

bool DeferredInput::map_slices(std::span<std::byte> target, const SliceSink& sink) {
  return !has_ended_ && opened().map_slices(target, sink);
}

void DeferredInput::tend() {
  if (input_) input_->tend();
}

void DeferredInput::unmap() {
  if (input_) input_->unmap();
}

void DeferredInput::skip(std::uint64_t bytes) { opened().skip(bytes); }

std::uint64_t DeferredInput::begin() {
  if (!begin_) begin_ = opened().begin();
  return *begin_;
}

std::size_t DeferredInput::peek(std::span<std::byte> target) {
  return has_ended_ || !size_ ? 0 : opened().peek(target);
}

}  // namespace sortie
