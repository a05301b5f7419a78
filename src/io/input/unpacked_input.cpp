#include "io/input/unpacked_input.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/input/compression_format.hpp"

namespace sortie {

std::size_t UnpackedInput::read(std::span<std::byte> target) {
  if (!has_begun_) {
    has_begun_ = true;
    begin_.resize(kArchiveMagicBytes);
    begin_.resize(input_->read(begin_));
    if (const auto inner = name_of_packed(begin_)) {
      throw Error("input " + quote_path(path()) + ": what it holds is " + std::string(*inner) +
                  " in turn; unpack it with its own program first");
    }
  }
  const std::size_t taken = take_begin(target);
  return taken == target.size() ? taken : taken + input_->read(target.subspan(taken));
}

std::size_t UnpackedInput::take_begin(std::span<std::byte> target) {
  if (begin_.empty()) return 0;
  const std::size_t bytes = std::min(target.size(), begin_.size() - taken_);
  std::copy_n(begin_.begin() + static_cast<std::ptrdiff_t>(taken_), bytes, target.begin());
  taken_ += bytes;
  if (taken_ == begin_.size()) begin_ = {};
  return bytes;
}

}  // namespace sortie
