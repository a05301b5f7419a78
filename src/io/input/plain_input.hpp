// Inputs whose bytes are the records themselves. Made by open_input() only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "io/input/byte_source.hpp"
#include "io/input/input.hpp"

namespace sortie {

/// A file with a size, read at offsets by several threads.
class PlainInput final : public Input {
 public:
  PlainInput(std::unique_ptr<File> file, std::uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {}

  const std::string& path() const override { return file_->path(); }
  std::size_t read(std::span<std::byte> target) override {
    return read_slices(target, [](std::span<const std::byte>) {});
  }
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  std::unique_ptr<InputMapping> map(std::span<std::byte> target, const SliceSink& sink) override;
  void skip(std::uint64_t bytes) override;
  std::optional<std::uint64_t> size() const override { return bytes_; }
  std::size_t peek(std::uint64_t distance, std::span<std::byte> target) override;

 private:
  class Mapping;

  template <class VisitSlice>
  void for_each_slice(std::span<std::byte> target, const VisitSlice& visit) const;
  void move_to(std::uint64_t position);
  void read_slice(std::uint64_t offset, std::span<std::byte> target);
  [[noreturn]] void fail_for_missing_bytes() const;

  std::unique_ptr<File> file_;
  std::uint64_t bytes_;
  std::uint64_t position_ = 0;
};

/// A pipe, a terminal, or a file that does not say its size.
class StreamInput final : public Input {
 public:
  explicit StreamInput(ByteSource source) : source_(std::move(source)) {}

  const std::string& path() const override { return source_.path(); }
  std::size_t read(std::span<std::byte> target) override { return source_.read(target); }
  std::size_t read_some(std::span<std::byte> target) override { return source_.read_some(target); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }

 private:
  ByteSource source_;
};

}  // namespace sortie
