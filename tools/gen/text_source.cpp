// Lines of made-up text.
#include <array>
#include <charconv>
#include <chrono>
#include <string_view>

#include <sortie/error.hpp>

#include "tools/gen/mix.hpp"
#include "tools/gen/record_source.hpp"

namespace sortie::tools {
namespace {

constexpr std::array<std::string_view, 16> kSyllables{"an", "be",  "cor", "da", "el",  "fi", "gro", "in",
                                                      "ka", "lom", "mi",  "no", "per", "qu", "sta", "tu"};
constexpr std::uint64_t kMaxSyllables = 4;
constexpr unsigned kSyllableBits = 4;

/// A word of 2 to 12 letters, some far more often than others.
void append_word(MixStream& random, std::string& text) {
  // The common bits of two draws make short words of early syllables the most frequent.
  const std::uint64_t bits = random.next();
  const std::uint64_t count = 1 + (bits & (bits >> 8) & (kMaxSyllables - 1));
  std::uint64_t choice = (bits >> 16) & (bits >> 40);
  for (std::uint64_t i = 0; i < count; ++i, choice >>= kSyllableBits) {
    text += kSyllables[choice & (kSyllables.size() - 1)];
  }
}

/// 14 lower-case letters whose order is the order of the codes.
void append_ordered_letters(std::uint64_t code, std::string& text) {
  constexpr std::uint64_t kLetters = 26;
  constexpr int kDigits = 14;  // 26^14 > 2^64
  for (int i = 0; i < kDigits; ++i, code *= kLetters) {
    text += static_cast<char>('a' + scale_fraction(code, kLetters));
  }
}

/// 16 hexadecimal digits whose order is the order of the codes.
void append_hex(std::uint64_t code, std::string& text) {
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[code >> shift & 15];
}

/// The decimal digits of `number`, with leading zeros up to `width`.
void append_decimal(std::uint64_t number, std::size_t width, std::string& text) {
  std::array<char, 20> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const auto length = static_cast<std::size_t>(end - digits.data());
  if (length < width) text.append(width - length, '0');
  text.append(digits.data(), length);
}

/// Lines of very different lengths: mostly a few words, sometimes an empty line or one of some kilobytes. The whole
/// line is the key, so lines with equal codes are equal.
class LineSource final : public VariousSource {
 public:
  explicit LineSource(const DataSet& data_set) : VariousSource(data_set, Layout{}, 64) {}

 private:
  static void append_words(std::uint64_t seed, std::string& text) {
    constexpr std::uint64_t kEmptyEvery = 512;
    constexpr std::uint64_t kLongEvery = 2048;
    MixStream random(seed);
    const std::uint64_t luck = random.below(kEmptyEvery * kLongEvery);
    if (luck % kEmptyEvery == 1) return;
    const std::uint64_t words = 1 + random.below(luck % kLongEvery == 0 ? 500 : 14);
    for (std::uint64_t i = 0; i < words; ++i) {
      append_word(random, text);
      text += ' ';
    }
    append_decimal(random.next() >> 40, 1, text);
  }

  static void append_shared_beginning(std::uint64_t code, std::string& text) {
    constexpr int kWords = 6;
    MixStream random(code);
    for (int i = 0; i < kWords; ++i) {
      append_word(random, text);
      text += ' ';
    }
  }

  void append_record(std::uint64_t position, std::uint64_t code, std::string& text) const override {
    if (keys().kind() == Distribution::kPrefix) {
      append_shared_beginning(code, text);
      code = keys().random(position);
    } else if (keys().mostly_ordered()) {
      append_ordered_letters(code, text);
      text += ' ';
    }
    append_words(code, text);
    text += '\n';
  }
};

/// Lines of lower-case letters, of any lengths. The code begins them, as far as they have room for it, and decides the
/// rest, too: lines with equal codes are equal.
class LettersSource final : public VariousSource {
 public:
  explicit LettersSource(const DataSet& data_set)
      : VariousSource(data_set, Layout{}, (data_set.line_bytes.least + data_set.line_bytes.most) / 2),
        line_bytes_(data_set.line_bytes) {}

 private:
  static constexpr std::size_t kSharedLetters = 3;

  void append_record(std::uint64_t position, std::uint64_t code, std::string& text) const override {
    const std::size_t begin = text.size();
    if (keys().kind() == Distribution::kPrefix) {
      append_ordered_letters(code, text);
      text.resize(begin + kSharedLetters);
      code = keys().random(position);
    }
    append_ordered_letters(code, text);
    MixStream random(code);
    const std::uint64_t letters = line_bytes_.least - 1 + random.below(line_bytes_.most - line_bytes_.least + 1);
    while (text.size() - begin < letters) append_ordered_letters(random.next(), text);
    text.resize(begin + static_cast<std::size_t>(letters));
    text += '\n';
  }

  LengthBounds line_bytes_;
};

constexpr std::uint64_t kRequestsPerSecond = 20;
constexpr std::uint64_t kSecondsPerDay = 86400;
constexpr std::chrono::sys_days kFirstDay = std::chrono::year{2026} / 1 / 1;

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 8> kStatuses{"200", "200", "200", "200", "304", "301", "404", "500"};
constexpr std::array<std::string_view, 4> kAgents{
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; Crawler/2.1)", "curl/8.5.0"};

/// Appends four octets made from the code. In ordered data all have three digits, so that text order is code order.
void append_address(std::uint64_t code, bool ordered, std::string& text) {
  const std::uint64_t lowest = ordered ? 100 : 1;
  const std::uint64_t octets = 256 - lowest;
  for (int i = 0; i < 4; ++i, code *= octets) {
    if (i > 0) text += '.';
    append_decimal(lowest + scale_fraction(code, octets), 1, text);
  }
}

void append_time(std::uint64_t seconds, std::string& text) {
  const std::chrono::year_month_day date{kFirstDay + std::chrono::days{seconds / kSecondsPerDay}};
  const std::uint64_t of_day = seconds % kSecondsPerDay;
  append_decimal(static_cast<unsigned>(date.day()), 2, text);
  text += '/';
  text += kMonths[static_cast<unsigned>(date.month()) - 1];
  text += '/';
  append_decimal(static_cast<unsigned>(static_cast<int>(date.year())), 4, text);
  text += ':';
  append_decimal(of_day / 3600, 2, text);
  text += ':';
  append_decimal(of_day / 60 % 60, 2, text);
  text += ':';
  append_decimal(of_day % 60, 2, text);
}

void append_path(MixStream& random, std::string& text) {
  const std::uint64_t depth = 1 + random.below(4);
  for (std::uint64_t i = 0; i < depth; ++i) {
    text += '/';
    append_word(random, text);
  }
}

/// Lines like those of a web server's log, in the common combined form. The key is the client's address, which begins
/// the line; the rest differs from line to line.
///
///   203.140.7.12 - - [21/Nov/2026:08:33:07 +0000] "GET /fingro/elan HTTP/1.1" 200 5120 "Mozilla/5.0 (...)"
class LogSource final : public VariousSource {
 public:
  explicit LogSource(const DataSet& data_set)
      : VariousSource(data_set, Layout{}, 160), first_record_(static_cast<std::uint64_t>(data_set.first_record)) {}

 private:
  void append_record(std::uint64_t position, std::uint64_t code, std::string& text) const override {
    MixStream random(keys().random(position));
    append_address(code, keys().ordered(), text);
    text += " - - [";
    append_time(seconds(code, position), text);
    text += " +0000] \"GET ";
    if (keys().ordered()) {
      text += "/item/";
      append_hex(code, text);
    }
    append_path(random, text);
    text += " HTTP/1.1\" ";
    text += kStatuses[random.below(kStatuses.size())];
    text += ' ';
    append_decimal(random.below(1 << 20), 1, text);
    text += " \"";
    text += kAgents[random.below(kAgents.size())];
    text += "\"\n";
  }

  /// If whole lines must rise or fall, the time follows the code, within one day. Otherwise it follows the position.
  std::uint64_t seconds(std::uint64_t code, std::uint64_t position) const {
    if (keys().ordered()) return scale_fraction(code, kSecondsPerDay);
    return (first_record_ + position) / kRequestsPerSecond;
  }

  std::uint64_t first_record_;
};

}  // namespace

std::unique_ptr<RecordSource> make_line_source(const DataSet& data_set) {
  return std::make_unique<LineSource>(data_set);
}

std::unique_ptr<RecordSource> make_letters_source(const DataSet& data_set) {
  if (data_set.line_bytes.least == 0) throw Error("--line-bytes must be at least 1: a line has an end");
  return std::make_unique<LettersSource>(data_set);
}

std::unique_ptr<RecordSource> make_log_source(const DataSet& data_set) { return std::make_unique<LogSource>(data_set); }

}  // namespace sortie::tools
