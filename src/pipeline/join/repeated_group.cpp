#include "pipeline/join/repeated_group.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <sortie/error.hpp>

#include "base/release_memory.hpp"

namespace sortie {
namespace {

using Length = std::uint32_t;

/// The file is written and read by shares of the memory: half of it keeps the first records.
constexpr std::size_t kFileShare = 4;
constexpr std::size_t kLeastReadBytes = 16 << 10;
/// A larger buffer is given back when the next group comes.
constexpr std::size_t kUsualBytes = 1 << 20;

void append_record(std::string& bytes, std::string_view record) {
  const auto length = static_cast<Length>(record.size());
  bytes.append(reinterpret_cast<const char*>(&length), sizeof(length)).append(record);
}

void empty(std::string& bytes) {
  if (bytes.capacity() > kUsualBytes) release_memory(bytes);
  bytes.clear();
}

}  // namespace

void RepeatedGroup::clear() {
  empty(kept_);
  empty(behind_);
  empty(read_);
  file_.reset();
  if (std::exchange(file_bytes_, 0) != 0) observer_.set_scratch_bytes(0);
}

void RepeatedGroup::add(std::string_view record) {
  if (record.size() > std::numeric_limits<Length>::max()) {
    throw Error("a record of the right input, of " + std::to_string(record.size()) +
                " bytes, is too long to be joined");
  }
  const bool fits = kept_.size() + sizeof(Length) + record.size() <= most_bytes_ / 2;
  if (behind_.empty() && file_ == nullptr && fits) return append_record(kept_, record);
  append_record(behind_, record);
  if (behind_.size() >= most_bytes_ / kFileShare) spill();
}

void RepeatedGroup::spill() {
  const auto span = observer_.span("keep equal keys", behind_.size());
  if (file_ == nullptr) file_ = scratch_.create();
  file_->write_at(file_bytes_, std::as_bytes(std::span(behind_)));
  file_bytes_ += behind_.size();
  observer_.set_scratch_bytes(file_bytes_);
  behind_.clear();
}

// Returns how many bytes are whole records.
std::size_t RepeatedGroup::visit_records(std::string_view bytes, const Visitor& visit) const {
  std::size_t at = 0;
  while (bytes.size() - at >= sizeof(Length)) {
    Length length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof(length));
    if (bytes.size() - at - sizeof(length) < length) break;
    visit(bytes.substr(at + sizeof(length), length));
    at += sizeof(length) + length;
  }
  return at;
}

void RepeatedGroup::read(std::uint64_t offset, std::span<std::byte> target) const {
  const auto span = observer_.span("read equal keys", target.size());
  if (file_->read_at(offset, target) != target.size()) {
    throw Error("scratch space has lost records of a join; is somebody else writing to it?");
  }
}

void RepeatedGroup::for_each(const Visitor& visit) {
  visit_records(kept_, visit);
  std::size_t carried = 0;  // bytes of a record that is not whole, at the begin of `read_`
  for (std::uint64_t offset = 0; offset < file_bytes_;) {
    const std::size_t wanted = std::max({most_bytes_ / kFileShare, carried, kLeastReadBytes});
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, file_bytes_ - offset));
    read_.resize(carried + bytes);
    read(offset, std::as_writable_bytes(std::span(read_)).subspan(carried));
    offset += bytes;
    const std::size_t whole = visit_records(read_, visit);
    read_.erase(0, whole);
    carried = read_.size();
  }
  visit_records(behind_, visit);
}

}  // namespace sortie
