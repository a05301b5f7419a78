#include "formats/variants/bcf_input.hpp"

#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "formats/variants/bcf_record.hpp"

namespace sortie::formats::variants {
namespace {

/// "BCF", the version, and the length of the header's text.
constexpr std::size_t kMagicBytes = 5;
constexpr std::size_t kTextAt = kMagicBytes + sizeof(std::uint32_t);

}  // namespace

BcfInput::BcfInput(std::string path, std::unique_ptr<ContentsSource> source)
    : path_(std::move(path)), source_(std::move(source)) {
  read_header();
}

std::span<const std::byte> BcfInput::next() {
  pass_over(std::exchange(record_bytes_, 0));
  if (!fill(kBcfLengthBytes)) {
    if (at_ == contents_.size()) return {};
    refuse_cut("record", kBcfLengthBytes);
  }
  std::uint64_t bytes = 0;
  try {
    bytes = bcf_record_bytes(front(kBcfLengthBytes));
  } catch (const Error& error) {
    refuse("record", error.what());
  }
  if (!fill(static_cast<std::size_t>(bytes))) refuse_cut("record", bytes);
  const std::span<const std::byte> record = front(static_cast<std::size_t>(bytes));
  try {
    check_bcf_record(record, *header_);
  } catch (const Error& error) {
    refuse("record", error.what());
  }
  record_bytes_ = record.size();
  return record;
}

// Lengths may be lies: memory grows by what is there.
bool BcfInput::fill(std::size_t bytes) {
  while (contents_.size() - at_ < bytes) {
    if (at_ != 0) {
      contents_.erase(contents_.begin(), contents_.begin() + static_cast<std::ptrdiff_t>(at_));
      contents_begin_ += std::exchange(at_, 0);
    }
    if (!source_->read(contents_)) return false;
  }
  return true;
}

void BcfInput::read_header() {
  if (!fill(kTextAt)) refuse_cut("header", kTextAt);
  const auto text_bytes = load_as<std::uint32_t>(front(kTextAt).data() + kMagicBytes);
  const std::string_view magic(reinterpret_cast<const char*>(contents_.data()), kMagicBytes);
  if (magic != "BCF\2\1" && magic != "BCF\2\2") refuse("header", "is none of BCF 2.1 or 2.2");
  const std::uint64_t bytes = kTextAt + std::uint64_t{text_bytes};
  if (!fill(static_cast<std::size_t>(bytes))) refuse_cut("header", bytes);
  std::string text(reinterpret_cast<const char*>(contents_.data()) + kTextAt, text_bytes);
  text.resize(text.find_last_not_of('\0') + 1);
  try {
    header_.emplace(std::move(text));
  } catch (const Error& error) {
    throw Error("input " + quote_path(path_) + " " + error.what());
  }
  pass_over(static_cast<std::size_t>(bytes));
}

void BcfInput::pass_over(std::size_t bytes) {
  at_ += bytes;
  source_->forget_before(contents_begin_ + at_);
}

void BcfInput::refuse(const std::string& what, const std::string& reason) const {
  throw Error("input " + quote_path(path_) + ": the " + what + " at " + source_->place_of(contents_begin_ + at_) + " " +
              reason + "; get the file once more");
}

void BcfInput::refuse_cut(const std::string& what, std::uint64_t wanted) const {
  refuse(what,
         "is cut short: it has " + std::to_string(contents_.size() - at_) + " of " + std::to_string(wanted) + " bytes");
}

}  // namespace sortie::formats::variants
