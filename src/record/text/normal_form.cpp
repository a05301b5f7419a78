#include "record/text/normal_form.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include <utf8proc.h>

#include "base/bytes.hpp"

namespace sortie {
namespace {

using CodePoint = utf8proc_int32_t;

/// Characters that are worked on together, where the text has a place to cut it.
constexpr std::size_t kUsualStretchBytes = 16 << 10;

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

bool is_space(CodePoint point) {
  return (point >= 0x09 && point <= 0x0D) || point == 0x20 || point == 0x85 || point == 0xA0 || point == 0x1680 ||
         (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 || point == 0x202F ||
         point == 0x205F || point == 0x3000;
}

bool is_punctuation(CodePoint point) {
  const utf8proc_category_t category = utf8proc_category(point);
  return category >= UTF8PROC_CATEGORY_PC && category <= UTF8PROC_CATEGORY_PO;
}

/// Ideographs begin characters that combine with nothing in front.
bool is_ideograph(CodePoint point) { return point >= 0x3400 && point <= 0x9FFF; }

/// What becomes of each byte of ASCII: the letter that is shown, or one of these.
using AsciiFates = std::array<unsigned char, 128>;
constexpr unsigned char kDropped = 0x80;
constexpr unsigned char kBlank = 0x81;  // white space, which is joined

AsciiFates make_ascii_fates(const NormalForm& form) {
  AsciiFates fates{};
  for (CodePoint point = 0; point < 128; ++point) {
    const bool is_folded = form.case_fold && point >= 'A' && point <= 'Z';
    unsigned char& fate = fates[static_cast<std::size_t>(point)];
    fate = static_cast<unsigned char>(is_folded ? point + ('a' - 'A') : point);
    if (form.space && is_space(point)) fate = kBlank;
    if (form.punctuation && is_punctuation(point)) fate = kDropped;
  }
  return fates;
}

/// By the parts of a form that say something of ASCII.
const AsciiFates& ascii_fates(const NormalForm& form) {
  static const std::array<AsciiFates, 8> of_forms = [] {
    std::array<AsciiFates, 8> fates{};
    for (std::size_t i = 0; i < fates.size(); ++i) {
      NormalForm of;
      of.case_fold = (i & 1) != 0;
      of.space = (i & 2) != 0;
      of.punctuation = (i & 4) != 0;
      fates[i] = make_ascii_fates(of);
    }
    return fates;
  }();
  return of_forms[(form.case_fold ? 1U : 0U) | (form.space ? 2U : 0U) | (form.punctuation ? 4U : 0U)];
}

/// Throws away punctuation and joins white space, as far as that is wanted.
class Sink {
 public:
  Sink(const NormalForm& form, std::string& out)
      : form_(form), fates_(ascii_fates(form)), out_(out), begin_(out.size()) {}

  // Most texts are nothing else, mostly letters that stand side by side.
  void put_ascii(std::string_view text) {
    const std::size_t before = out_.size();
    out_.resize(before + text.size() + 1);  // the blank that waits
    char* to = out_.data() + before;
    const char* const begin = out_.data() + begin_;
    for (auto at = text.begin(); at != text.end();) {
      unsigned char fate = fates_[static_cast<unsigned char>(*at)];
      if (fate >= kDropped) {
        waits_ = waits_ || fate == kBlank;
        ++at;
        continue;
      }
      if (std::exchange(waits_, false) && to != begin) *to++ = ' ';
      do {
        *to++ = static_cast<char>(fate);
        if (++at == text.end()) break;
        fate = fates_[static_cast<unsigned char>(*at)];
      } while (fate < kDropped);
    }
    out_.resize(static_cast<std::size_t>(to - out_.data()));
  }

  void put(CodePoint point) {
    if (point < 0x80) {
      const char byte = static_cast<char>(point);
      return put_ascii({&byte, 1});
    }
    if (form_.punctuation && is_punctuation(point)) return;
    if (form_.space && is_space(point)) {
      waits_ = true;
      return;
    }
    put_waiting();
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t count = utf8proc_encode_char(point, bytes.data());
    out_.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
  }

  void put_raw(char byte) {
    put_waiting();
    out_ += byte;
  }

 private:
  void put_waiting() {
    if (waits_ && out_.size() > begin_) out_ += ' ';
    waits_ = false;
  }

  const NormalForm& form_;
  const AsciiFates& fates_;
  std::string& out_;
  std::size_t begin_;
  bool waits_ = false;  // a blank, unless the text ends
};

/// Makes the normal form of a stretch of valid UTF-8 that combines with nothing around it.
class Normaliser {
 public:
  Normaliser(const NormalForm& form, Sink& sink) : form_(form), sink_(sink) {}

  void put(std::string_view stretch) {
    form_.nfkc ? compose(stretch) : decode(stretch);
    if (form_.case_fold && fold() && form_.nfkc) {
      encoded_.clear();
      for (const CodePoint point : points_) append_utf8(point);
      compose(encoded_);
    }
    for (const CodePoint point : points_) sink_.put(point);
    if (points_.capacity() > kMostKept) std::vector<CodePoint>().swap(points_);
  }

 private:
  static constexpr std::size_t kMostKept = 1 << 20;

  static const utf8proc_uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  }

  void append_utf8(CodePoint point) {
    std::array<utf8proc_uint8_t, 4> bytes{};
    const utf8proc_ssize_t count = utf8proc_encode_char(point, bytes.data());
    encoded_.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
  }

  void decode(std::string_view text) {
    points_.clear();
    while (!text.empty()) {
      CodePoint point = 0;
      const utf8proc_ssize_t bytes =
          utf8proc_iterate(bytes_of(text), static_cast<utf8proc_ssize_t>(text.size()), &point);
      points_.push_back(point);
      text.remove_prefix(static_cast<std::size_t>(bytes));
    }
  }

  // The first try mostly has room.
  void compose(std::string_view text) {
    constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPAT | UTF8PROC_COMPOSE);
    const auto bytes = static_cast<utf8proc_ssize_t>(text.size());
    points_.resize(text.size() + 16);
    utf8proc_ssize_t count = utf8proc_decompose(bytes_of(text), bytes, points_.data(),
                                                static_cast<utf8proc_ssize_t>(points_.size()), kOptions);
    if (count > static_cast<utf8proc_ssize_t>(points_.size())) {
      points_.resize(static_cast<std::size_t>(count));
      count = utf8proc_decompose(bytes_of(text), bytes, points_.data(), count, kOptions);
    }
    if (count < 0) throw std::bad_alloc();  // the text is valid
    count = utf8proc_normalize_utf32(points_.data(), count, kOptions);
    points_.resize(static_cast<std::size_t>(count));
  }

  // Returns whether any character has changed.
  bool fold() {
    constexpr std::size_t kMostFolded = 16;
    folded_.clear();
    for (const CodePoint point : points_) {
      std::array<CodePoint, kMostFolded> folded{};
      int boundary = 0;
      const utf8proc_ssize_t count =
          utf8proc_decompose_char(point, folded.data(), kMostFolded, UTF8PROC_CASEFOLD, &boundary);
      folded_.insert(folded_.end(), folded.begin(), folded.begin() + count);
    }
    const bool changes = folded_ != points_;
    points_.swap(folded_);
    return changes;
  }

  const NormalForm& form_;
  Sink& sink_;
  std::vector<CodePoint> points_;
  std::vector<CodePoint> folded_;
  std::string encoded_;
};

/// The length of the ASCII at the beginning of `text`, without a last letter that marks may follow.
std::size_t ascii_bytes(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t at = 0;
  while (at + sizeof kHighBits <= text.size() && (load_as<std::uint64_t>(text.data() + at) & kHighBits) == 0) {
    at += sizeof kHighBits;
  }
  while (at < text.size() && is_ascii(text[at])) ++at;
  return at < text.size() && at > 0 ? at - 1 : at;
}

/// The length of the stretch at the beginning of `text` that is valid UTF-8 and has no ASCII behind its first byte. A
/// letter of ASCII belongs to the marks behind it, and combines with nothing in front.
std::size_t stretch_bytes(std::string_view text) {
  std::size_t at = is_ascii(text.front()) ? 1 : 0;
  while (at < text.size() && !is_ascii(text[at])) {
    CodePoint point = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                                    static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (bytes <= 0 || (at >= kUsualStretchBytes && is_ideograph(point))) break;
    at += static_cast<std::size_t>(bytes);
  }
  return at;
}

}  // namespace

void append_normal_form(std::string_view text, const NormalForm& form, std::string& out) {
  if (!form.is_wanted()) {
    out.append(text);
    return;
  }
  Sink sink(form, out);
  Normaliser normaliser(form, sink);
  while (!text.empty()) {
    if (const std::size_t ascii = ascii_bytes(text); ascii > 0) {
      sink.put_ascii(text.substr(0, ascii));
      text.remove_prefix(ascii);
      continue;
    }
    const std::size_t bytes = stretch_bytes(text);
    if (bytes == 0) {
      sink.put_raw(text[0]);
    } else {
      normaliser.put(text.substr(0, bytes));
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
}

}  // namespace sortie
