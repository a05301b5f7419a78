#include "tools/check/block_reader.hpp"

#include <algorithm>
#include <string>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::tools {

BlockReader::BlockReader(Input& input, const Layout& layout, std::size_t block_bytes)
    : input_(input), layout_(layout), block_bytes_(block_bytes) {}

std::span<const std::byte> BlockReader::next(std::vector<std::byte>& buffer) {
  buffer.resize(std::max(buffer.size(), block_bytes_ + carry_.size()));
  std::copy(carry_.begin(), carry_.end(), buffer.begin());
  std::size_t filled = carry_.size();
  std::size_t whole = 0;
  while (whole == 0) {
    if (filled == buffer.size()) buffer.resize(2 * buffer.size());
    const std::size_t wanted = buffer.size() - filled;
    const std::size_t got = input_.read(std::span(buffer).subspan(filled));
    filled += got;
    whole = whole_records(layout_, std::span(buffer).first(filled));
    if (got < wanted && whole < filled) whole = filled = complete_last_record(buffer, filled);
    if (got < wanted) break;
  }
  carry_.assign(buffer.begin() + static_cast<std::ptrdiff_t>(whole),
                buffer.begin() + static_cast<std::ptrdiff_t>(filled));
  offset_ += whole;
  return std::span(buffer).first(whole);
}

std::size_t BlockReader::complete_last_record(std::vector<std::byte>& buffer, std::size_t filled) const {
  if (layout_.prefixed()) {
    const std::size_t whole = whole_records(layout_, std::span(buffer).first(filled));
    throw Error(quote_path(input_.path()) + " ends within the record at offset " + std::to_string(offset_ + whole) +
                "; is --format right?");
  }
  if (!layout_.delimited()) {
    const std::uint64_t stray = filled % layout_.record_bytes;
    throw Error(quote_path(input_.path()) + " ends with " + std::to_string(stray) + " stray bytes at offset " +
                std::to_string(offset_ + filled - stray) + ": its records are not all " +
                std::to_string(layout_.record_bytes) + " bytes long; is --format right?");
  }
  buffer.resize(std::max(buffer.size(), filled + 1));
  buffer[filled] = static_cast<std::byte>(layout_.delimiter);
  return filled + 1;
}

}  // namespace sortie::tools
