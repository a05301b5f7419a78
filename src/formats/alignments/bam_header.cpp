#include "formats/alignments/bam_header.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "formats/alignments/byte_appends.hpp"

namespace sortie::formats::alignments {
namespace {

constexpr std::string_view kMagic("BAM\1", 4);
/// More is the sign of a damaged length: a million references take 30 MB.
constexpr std::uint32_t kMostTextBytes = 1 << 30;

/// Reads from the front of contents that grow.
class HeaderReader {
 public:
  HeaderReader(const std::string& name, RawBytes& contents, const std::function<bool()>& more)
      : name_(name), contents_(contents), more_(more) {}

  std::string_view take(std::size_t bytes, const char* what) {
    while (contents_.size() - at_ < bytes) {
      if (!more_()) refuse(std::string("it ends within ") + what);
    }
    at_ += bytes;
    return {reinterpret_cast<const char*>(contents_.data()) + at_ - bytes, bytes};
  }

  std::uint32_t take_number(const char* what) { return load_as<std::uint32_t>(take(4, what).data()); }

  std::size_t taken() const { return at_; }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw Error("input " + quote_path(name_) + " has no header of BAM: " + reason);
  }

 private:
  const std::string& name_;
  RawBytes& contents_;
  const std::function<bool()>& more_;
  std::size_t at_ = 0;
};

void append_length(std::size_t length, std::vector<std::byte>& bytes) {
  append_number(static_cast<std::uint32_t>(length), bytes);
}

}  // namespace

std::size_t read_bam_header(const std::string& name, RawBytes& contents, const std::function<bool()>& more,
                            BamHeader& header) {
  HeaderReader reader(name, contents, more);
  if (reader.take(kMagic.size(), "its first bytes") != kMagic) reader.refuse("it does not begin with BAM");
  const std::uint32_t text_bytes = reader.take_number("the length of its text");
  if (text_bytes > kMostTextBytes) {
    reader.refuse("its text would have " + std::to_string(text_bytes) + " bytes");
  }
  std::string_view text = reader.take(text_bytes, "its text");
  header.text = HeaderText(text.substr(0, text.find('\0')));
  const std::uint32_t count = reader.take_number("the number of references");
  if (count > static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max())) {
    reader.refuse("it would have " + std::to_string(count) + " references");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t name_bytes = reader.take_number("its references");
    if (name_bytes == 0 || name_bytes > kMostTextBytes) {
      reader.refuse("the name of reference " + std::to_string(i + 1) + " would have " + std::to_string(name_bytes) +
                    " bytes");
    }
    const auto field = reader.take(name_bytes, "its references").substr(0, name_bytes - 1);
    std::string reference(field.substr(0, field.find('\0')));
    header.references.push_back({std::move(reference), reader.take_number("its references")});
  }
  header.text.add_missing_references(header.references);
  return reader.taken();
}

std::vector<std::byte> bytes_of(const BamHeader& header) {
  std::vector<std::byte> bytes;
  const std::string text = header.text.text();
  append_text(kMagic, bytes);
  append_length(text.size(), bytes);
  append_text(text, bytes);
  append_length(header.references.size(), bytes);
  for (const Reference& reference : header.references) {
    append_length(reference.name.size() + 1, bytes);
    append_text_and_nul(reference.name, bytes);
    append_number(reference.length, bytes);
  }
  return bytes;
}

}  // namespace sortie::formats::alignments
