#include "io/input/unpacked_input.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/input/compression_format.hpp"
#include "io/input/packed_begin.hpp"

namespace sortie {

std::size_t UnpackedInput::read(std::span<std::byte> target) {
  if (!has_begun_) {
    has_begun_ = true;
    begin_.resize(kArchiveMagicBytes);
    begin_.resize(input_->read(begin_));
    refuse_packed_contents();
  }
  const std::size_t taken = take_begin(target);
  return taken == target.size() ? taken : taken + input_->read(target.subspan(taken));
}

// Records of any bytes may begin with any magic.
void UnpackedInput::refuse_packed_contents() const {
  const auto inner = name_of_packed(begin_);
  if (!inner) return;
  const bool is_whole = begin_.size() < kArchiveMagicBytes;
  const bool is_sure = unpacking_ == Unpacking::kByMagic || is_packed_twice_by_name(path()) ||
                       can_be_unpacked(recognise_magic(begin_), begin_, is_whole);
  if (!is_sure) return;
  throw Error("input " + quote_path(path()) + ": what it holds is " + std::string(*inner) +
              " in turn; unpack it with its own program first");
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
