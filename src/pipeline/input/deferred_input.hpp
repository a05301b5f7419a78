// An input that is opened when it is read and closed at its end, because a sort may have more inputs than it may have
// files open, and unpacking takes memory. Made by the input opener, which looks at it before work begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/input.hpp"

namespace sortie {

class DeferredInput final : public Input {
 public:
  using Open = std::function<std::unique_ptr<Input>()>;

  /// For an input that nobody has looked at; its size stays unknown.
  DeferredInput(std::string path, Open open);
  /// `open_now`: the input that `open` has already opened. It stays open until close() or its end.
  DeferredInput(std::string path, Open open, std::unique_ptr<Input> open_now);

  /// Closes the input until it is read. Precondition: nothing has been read.
  void close() { input_.reset(); }

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_some(std::span<std::byte> target) override;
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  bool map_slices(std::span<std::byte> target, const SliceSink& sink) override;
  void tend() override;
  void unmap() override;
  void skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> size() const override { return size_; }
  /// Opens the input if nobody has looked at it.
  std::uint64_t begin() override;
  /// Gives nothing if the size of the input is unknown.
  std::size_t peek(std::span<std::byte> target) override;

 private:
  Input& opened();
  std::size_t end_if_less(std::size_t got, std::size_t wanted);

  std::string path_;
  Open open_;
  std::unique_ptr<Input> input_;  // null while closed, and after its end
  std::optional<std::uint64_t> size_;
  std::optional<std::uint64_t> begin_;
  bool has_ended_ = false;
};

}  // namespace sortie
