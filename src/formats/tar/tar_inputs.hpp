// The two ways in which a tar archive is read: a plain file, whose contents are passed over, because they are copied
// from their places in the end; and a stream or a packed file, whose bytes are kept sample by sample, because they come
// only once. Made by TarReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/raw_bytes.hpp"
#include "formats/places/placed_files.hpp"
#include "formats/tar/tar_walk.hpp"
#include "io/input/input.hpp"

namespace sortie::formats::tar {

class PlacedTar final : public TarBytes {
 public:
  /// `buffer_bytes`: so many are read at once where headers are near each other. `files` must outlive this.
  PlacedTar(PlacedFiles& files, std::uint32_t input, std::uint64_t buffer_bytes);

  const std::string& path() const override { return files_.path(input_); }
  std::size_t read(std::span<std::byte> target) override;
  std::uint64_t pass_over(std::uint64_t bytes) override;

 private:
  void fill();

  PlacedFiles& files_;
  std::uint32_t input_;
  std::uint64_t bytes_;  // of the file
  std::uint64_t at_ = 0;
  std::size_t most_window_bytes_;
  RawBytes window_;
  std::uint64_t window_begin_ = 0;
  std::size_t window_bytes_ = 0;
};

class CarriedTar final : public TarBytes {
 public:
  explicit CarriedTar(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  const std::string& path() const override { return input_->path(); }
  std::size_t read(std::span<std::byte> target) override;
  std::uint64_t pass_over(std::uint64_t bytes) override;

  /// The bytes from `begin` to `end`, which have been read; those up to `end` are forgotten. Precondition: `begin` is
  /// not before the last `end`.
  std::vector<std::byte> take(std::uint64_t begin, std::uint64_t end);

 private:
  std::span<std::byte> extend(std::size_t bytes);

  std::unique_ptr<Input> input_;
  std::vector<std::byte> held_;
  std::uint64_t held_begin_ = 0;  // offset of its first byte
};

}  // namespace sortie::formats::tar
