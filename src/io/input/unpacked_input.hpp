// What a packed input holds, once it is unpacked: records, and not another archive or packed file. Made by
// open_input().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/input/input.hpp"

namespace sortie {

class UnpackedInput final : public Input {
 public:
  /// `input`: a packed one, of which nothing has been read.
  UnpackedInput(std::unique_ptr<Input> input, Unpacking unpacking) : input_(std::move(input)), unpacking_(unpacking) {}

  const std::string& path() const override { return input_->path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }
  std::uint64_t unpacking_bytes() const override { return input_->unpacking_bytes(); }
  /// Throws Error as `input` does, and if what is unpacked is packed once more, or an archive.
  std::size_t read(std::span<std::byte> target) override;

 private:
  void refuse_packed_contents() const;
  std::size_t take_begin(std::span<std::byte> target);

  std::unique_ptr<Input> input_;
  Unpacking unpacking_;
  bool has_begun_ = false;
  std::vector<std::byte> begin_;  ///< read to see what it is
  std::size_t taken_ = 0;         ///< of begin_
};

}  // namespace sortie
