#include "io/input/member_input.hpp"

#include <algorithm>
#include <utility>

#include "base/quote.hpp"
#include "io/input/compressed_input.hpp"

namespace sortie {
namespace {

constexpr std::size_t kPackedBytes = 64 << 10;

}  // namespace

MemberInput::MemberInput(ByteSource source, std::unique_ptr<MemberUnpacker> unpacker, WarningSink warn)
    : source_(std::move(source)), unpacker_(std::move(unpacker)), warn_(std::move(warn)), packed_(kPackedBytes) {}

std::size_t MemberInput::read(std::span<std::byte> target) {
  std::size_t done = 0;
  while (done < target.size() && !ended_) done += unpack(target.subspan(done));
  return done;
}

std::size_t MemberInput::unpack(std::span<std::byte> target) {
  if (!in_member_) {
    if (!begins_member()) {
      ended_ = true;
      unpacker_.reset();
      return 0;
    }
    unpacker_->begin();
    is_first_ = false;
    in_member_ = true;
  }
  if (left_.empty() && !fill()) throw_damaged(path());
  const MemberUnpacker::Step step = unpacker_->unpack(left_, target);
  left_ = left_.subspan(step.taken);
  in_member_ = !step.at_end;
  return step.made;
}

// Reads more behind the bytes that are left. Returns false at the end of the file.
bool MemberInput::fill() {
  std::copy(left_.begin(), left_.end(), packed_.begin());
  const std::size_t got = source_.read(std::span(packed_).subspan(left_.size()));
  left_ = std::span<const std::byte>(packed_).first(left_.size() + got);
  return got != 0;
}

// Whether another member begins behind the last one.
bool MemberInput::begins_member() {
  if (left_.size() < MemberUnpacker::kMagicBytes) fill();
  if (is_first_) return true;
  if (left_.empty()) return false;
  // A member that is cut short in its first bytes counts as one: reading it reports the damage.
  if (unpacker_->begins_member(left_.first(std::min(left_.size(), MemberUnpacker::kMagicBytes)))) return true;
  if (!only_zeros_follow() && warn_) warn_(quote_path(path()) + ": decompression OK, trailing garbage ignored");
  return false;
}

// Tapes fill up their blocks with zeros.
bool MemberInput::only_zeros_follow() {
  do {
    if (!std::ranges::all_of(left_, [](std::byte byte) { return byte == std::byte{}; })) return false;
    left_ = {};
  } while (fill());
  return true;
}

}  // namespace sortie
