// An input without its header: the first records, which stay where they are while the rest is sorted. Made by the input
// opener.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/input.hpp"
#include "record/layout.hpp"

namespace sortie {

class HeadedInput final : public Input {
 public:
  /// Reads the first `records` records of `input`, which are its header; of CSV also a byte order mark in front of
  /// them, and that even if `records` is 0. Throws Error as `input` does, and if the header ends within quotes.
  HeadedInput(std::unique_ptr<Input> input, const Layout& layout, std::uint64_t records);

  /// A last record that lacks its delimiter has it.
  std::span<const std::byte> header() const { return header_; }

  const std::string& path() const override { return input_->path(); }
  std::size_t read(std::span<std::byte> target) override;
  std::size_t read_some(std::span<std::byte> target) override;
  std::size_t read_slices(std::span<std::byte> target, const SliceSink& sink) override;
  std::optional<std::uint64_t> size() const override;
  std::uint64_t begin() override { return begin_; }
  std::size_t peek(std::span<std::byte> target) override;
  void skip(std::uint64_t bytes) override;

 private:
  bool read_more();
  std::size_t take_rest(std::span<std::byte> target);

  std::unique_ptr<Input> input_;
  std::vector<std::byte> header_;
  std::uint64_t begin_ = 0;
  std::vector<std::byte> rest_;  // read with the header
  std::size_t rest_begin_ = 0;   // of what is still to be given
};

/// The same header without a byte order mark.
std::span<const std::byte> without_byte_order_mark(std::span<const std::byte> header);

}  // namespace sortie
