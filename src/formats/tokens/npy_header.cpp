#include "formats/tokens/npy_header.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"
#include "base/size.hpp"
#include "base/whole_number.hpp"

namespace sortie::formats::tokens {
namespace {

constexpr std::string_view kNpyMagic("\x93NUMPY", 6);
constexpr std::size_t kAlignment = 64;
constexpr std::size_t kBytesOfVersion1 = 10;  // in front of the text
constexpr std::size_t kBytesOfVersion2 = 12;

[[noreturn]] void refuse_npy(const std::string& path, const std::string& what) {
  throw Error("input " + quote_path(path) + ": " + what);
}

[[noreturn]] void refuse_damage(const std::string& path) { refuse_npy(path, "the header of the .npy file is damaged"); }

/// Reads the literal of a Python dictionary, as far as NumPy writes it.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  NpyHeader read() {
    require('{');
    while (!takes('}')) {
      const std::string_view name = quoted();
      require(':');
      if (name == "descr") {
        descr();
      } else if (name == "fortran_order") {
        by_columns_ = boolean();
      } else if (name == "shape") {
        shape();
      } else {
        refuse_damage(path_);
      }
      if (!takes(',') && peek() != '}') refuse_damage(path_);
    }
    if (peek() != '\0' || header_.type == nullptr || !has_shape_) refuse_damage(path_);
    if (by_columns_ && header_.columns)
      refuse_npy(path_, "the array is stored by columns; save it by rows, in C order");
    return header_;
  }

 private:
  /// The next letter that is no blank; zero at the end.
  char peek() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_[0])) != 0) text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_[0];
  }
  bool takes(char letter) {
    if (peek() != letter) return false;
    text_.remove_prefix(1);
    return true;
  }
  void require(char letter) {
    if (!takes(letter)) refuse_damage(path_);
  }
  std::string_view quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse_damage(path_);
    text_.remove_prefix(1);
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) refuse_damage(path_);
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return word;
  }
  std::string_view word() {
    peek();
    std::size_t end = 0;
    while (end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])) != 0) ++end;
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found;
  }
  bool boolean() {
    const std::string_view found = word();
    if (found != "True" && found != "False") refuse_damage(path_);
    return found == "True";
  }
  void descr() {
    if (peek() == '[') refuse_npy(path_, "the array has fields; tokens are plain integers");
    const std::string_view description = quoted();
    header_.type = type_of_npy(description);
    if (header_.type == nullptr) {
      refuse_npy(path_, "the array is of type " + quote_word(description) + "; tokens are little-endian integers");
    }
  }
  std::uint64_t number() {
    std::string_view digits = word();
    if (digits.ends_with('L')) digits.remove_suffix(1);  // of Python 2
    const auto found = whole_number<std::uint64_t>(digits);
    if (!found) refuse_damage(path_);
    return *found;
  }
  void shape() {
    require('(');
    has_shape_ = true;
    if (peek() == ')') refuse_npy(path_, "the array is a single number");
    header_.rows = number();
    if (!takes(',')) refuse_damage(path_);
    if (peek() != ')') {
      header_.columns = number();
      takes(',');
    }
    if (peek() != ')') refuse_npy(path_, "the array has more than two dimensions");
    require(')');
  }

  std::string_view text_;
  const std::string& path_;
  NpyHeader header_;
  bool by_columns_ = false;
  bool has_shape_ = false;
};

/// Bytes of the numbers; nothing if they are more than any file has.
std::optional<std::uint64_t> content_bytes(const NpyHeader& header) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(header.rows, header.columns.value_or(1), &bytes)) return std::nullopt;
  if (__builtin_mul_overflow(bytes, header.type->bytes, &bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

bool begins_npy(std::span<const std::byte> begin) {
  return begin.size() >= kNpyMagic.size() && std::memcmp(begin.data(), kNpyMagic.data(), kNpyMagic.size()) == 0;
}

NpyHeader read_npy_header(std::span<const std::byte> begin, std::uint64_t file_bytes, const std::string& path) {
  if (!begins_npy(begin) || begin.size() < kBytesOfVersion2)
    refuse_npy(path, "it is no .npy file, or its begin is damaged");
  const auto version = std::to_integer<unsigned>(begin[kNpyMagic.size()]);
  if (version < 1 || version > 3)
    refuse_npy(path, "a .npy file of version " + std::to_string(version) + " is not known");
  const std::size_t text_begin = version == 1 ? kBytesOfVersion1 : kBytesOfVersion2;
  const std::byte* const length = begin.data() + kNpyMagic.size() + 2;
  const std::size_t bytes = version == 1 ? load_as<std::uint16_t>(length) : load_as<std::uint32_t>(length);
  if (bytes > begin.size() - text_begin) refuse_damage(path);
  const std::string_view text(reinterpret_cast<const char*>(begin.data()) + text_begin, bytes);
  NpyHeader header = HeaderText(text, path).read();
  header.header_bytes = text_begin + bytes;
  const std::optional<std::uint64_t> content = content_bytes(header);
  const std::uint64_t stored = file_bytes - header.header_bytes;
  if (!content || *content != stored) {
    refuse_npy(path, "its header says " + (content ? std::to_string(*content) : std::string("too many")) +
                         " bytes of numbers, but it has " + std::to_string(stored));
  }
  return header;
}

std::string npy_header_text(const NpyHeader& header) {
  std::string text = "{'descr': '" + std::string(header.type->npy) + "', 'fortran_order': False, 'shape': (" +
                     std::to_string(header.rows) + "," +
                     (header.columns ? " " + std::to_string(*header.columns) : std::string()) + "), }";
  const std::size_t bytes = round_up(kBytesOfVersion1 + text.size() + 1, kAlignment);
  text.resize(bytes - kBytesOfVersion1 - 1, ' ');
  text += '\n';
  std::string all(kNpyMagic);
  all += {'\x01', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return all + text;
}

}  // namespace sortie::formats::tokens
