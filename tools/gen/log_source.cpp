// Lines like those of a web server's log, in the common combined form. The key is the client's address, which begins
// the line; the rest differs from line to line.
//
//   203.140.7.12 - - [21/Nov/2026:08:33:07 +0000] "GET /fingro/elan HTTP/1.1" 200 5120 "Mozilla/5.0 (...)"
#include <array>
#include <chrono>
#include <string_view>

#include "tools/gen/record_source.hpp"
#include "tools/gen/text_words.hpp"

namespace sortie::tools {
namespace {

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

class LogSource final : public RecordSource {
 public:
  explicit LogSource(const DataSet& data_set)
      : first_record_(static_cast<std::uint64_t>(data_set.first_record)),
        keys_(data_set.distribution, first_record_, data_set.record_count, data_set.seed) {}

  Layout layout() const override { return Layout{}; }
  std::uint64_t typical_record_bytes() const override { return 160; }

  void generate(std::uint64_t begin, std::uint64_t count, std::string& records) const override {
    records.clear();
    for (std::uint64_t position = begin; position < begin + count; ++position) append_line(position, records);
  }

 private:
  void append_line(std::uint64_t position, std::string& text) const {
    std::uint64_t code = 0;
    keys_.fill(position, {&code, 1});
    MixStream random(keys_.random(position));
    append_address(code, keys_.ordered(), text);
    text += " - - [";
    append_time(seconds(code, position), text);
    text += " +0000] \"GET ";
    if (keys_.ordered()) append_ordered_path(code, text);
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
    if (keys_.ordered()) return scale_fraction(code, kSecondsPerDay);
    return (first_record_ + position) / kRequestsPerSecond;
  }

  static void append_ordered_path(std::uint64_t code, std::string& text) {
    text += "/item/";
    append_hex(code, text);
  }

  std::uint64_t first_record_;
  KeyDistribution keys_;
};

}  // namespace

std::unique_ptr<RecordSource> make_log_source(const DataSet& data_set) { return std::make_unique<LogSource>(data_set); }

}  // namespace sortie::tools
