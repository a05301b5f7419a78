// Encoded lines sorted by their bytes, against the machine's own sort. Options and lines are generated.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cstring>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <sortie/text_keys.hpp>

#include "record/text/gnu_sort.hpp"
#include "record/text/record_codec.hpp"
#include "support/record_data.hpp"

namespace sortie {
namespace {

using test::as_bytes;
using Random = std::mt19937;

constexpr std::string_view kSeed = "sixteen bytes of";

/// The order of lines that a command line asks for.
struct Request {
  std::string options;  ///< in the form that sort takes
  Format format;
  bool unique = false;
};

bool less_bytes(std::string_view a, std::string_view b) {
  const int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return order != 0 ? order < 0 : a.size() < b.size();
}

void sort_lines(std::vector<std::string>& lines, const Format& format) {
  std::stable_sort(lines.begin(), lines.end(), [&](std::string_view a, std::string_view b) {
    a.remove_suffix(1);
    b.remove_suffix(1);
    return format.descending ? less_bytes(b, a) : less_bytes(a, b);
  });
}

std::string sorted_plain(const std::vector<std::string_view>& lines, const Request& request) {
  std::vector<std::string> sorted(lines.begin(), lines.end());
  sort_lines(sorted, plain_format(request.format));
  if (request.unique) sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::string joined;
  for (const std::string& line : sorted) joined += line;
  return joined;
}

/// The lines after a plain sort of their encoded forms. strcoll() decides where the keys prove nothing.
std::string sorted_lines(const std::vector<std::string_view>& lines, const Request& request) {
  const RecordCodec codec = RecordCodec::make(request.format, request.unique);
  if (!codec.makes_keys()) return sorted_plain(lines, request);
  const char delimiter = request.format.delimiter;
  EncodedLines memory;
  std::vector<std::string> encoded;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    memory.clear();
    codec.encode(as_bytes(lines[i]), 1000 * i, memory);
    encoded.emplace_back(as_text(memory.bytes()));
    EXPECT_EQ(encoded.back().find(delimiter), encoded.back().size() - 1) << "of " << lines[i];
    EXPECT_EQ(as_text(codec.decode(as_bytes(encoded.back()))), lines[i]);
  }
  EXPECT_EQ(codec.sorted_format().delimiter, delimiter);
  if (codec.collates()) {
    std::ranges::stable_sort(encoded, [&](const std::string& a, const std::string& b) {
      return codec.compare_keys(as_bytes(a), as_bytes(b)) < 0;
    });
  } else {
    sort_lines(encoded, codec.sorted_format());
  }
  std::string joined;
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (request.unique && i > 0 && codec.equal_keys(as_bytes(encoded[i - 1]), as_bytes(encoded[i]))) continue;
    joined += as_text(codec.decode(as_bytes(encoded[i])));
  }
  return joined;
}

/// Reads the words of `options` as the command line would.
Request request_of(const std::string& options) {
  Request request;
  request.options = options;
  OrderingOptions global;
  std::vector<KeyDefinition> keys;
  std::istringstream words(options);
  bool stable = false;
  std::string separator;
  for (std::string word; words >> word;) {
    const std::string rest = word.substr(2);
    if (word == "-s") {
      stable = true;
    } else if (word == "-u") {
      request.unique = true;
    } else if (word == "-z") {
      request.format.delimiter = '\0';
    } else if (word[1] == 'k') {
      keys.push_back(parse_key_definition(rest));
    } else if (word[1] == 't') {
      separator.assign(1, rest == "\\0" ? '\0' : rest[0]);
    } else {
      for (const char letter : word.substr(1)) global.set(letter);
    }
  }
  request.format.text = make_text_order(keys, global);
  request.format.text.separator = separator;
  request.format.text.last_resort = !stable && !request.unique;
  return request;
}

/// Draws options that sort allows together.
class OptionGenerator {
 public:
  explicit OptionGenerator(Random& random) : random_(random) {}

  std::string draw() {
    std::string options;
    if (one_in(2)) options += std::string(" -t") + ".,:ax"[random_() % 5];
    if (one_in(2)) options += " -" + draw_kind("n" + std::string(one_in(2) ? "" : "b"));
    if (one_in(5)) options += " -s";
    if (one_in(5)) options += " -u";
    if (one_in(4)) options += " -z";
    if (one_in(3)) options += " -r";
    for (auto keys = random_() % 4; keys > 0; --keys) options += " -k" + draw_key();
    return options;
  }

 private:
  bool one_in(unsigned count) { return random_() % count == 0; }

  std::string draw_kind(const std::string& fallback) {
    static const std::vector<std::string> kKinds = {"n",  "h",  "M",  "g",  "V",  "d", "f", "i",
                                                    "df", "if", "Vf", "hf", "dV", "R", "Rf"};
    return one_in(4) ? fallback : kKinds[random_() % kKinds.size()];
  }

  std::string draw_key() {
    std::string key = std::to_string(1 + random_() % (one_in(20) ? 70 : 4));
    if (one_in(3)) key += "." + std::to_string(1 + random_() % 5);
    if (one_in(4)) key += "b";
    if (one_in(2)) key += draw_kind("");
    if (one_in(4)) key += "r";
    if (one_in(4)) return key;
    key += "," + std::to_string(1 + random_() % (one_in(20) ? 70 : 4));
    if (one_in(3)) key += "." + std::to_string(random_() % 5);
    if (one_in(4)) key += "b";
    return key;
  }

  Random& random_;
};

std::vector<std::string> split(const std::string& parts) {
  std::istringstream stream(parts);
  std::vector<std::string> all;
  for (std::string part; std::getline(stream, part, '|');) all.push_back(part);
  return all;
}

/// Lines of few words and odd bytes, so that many have equal keys. There are no NaNs, because GNU sort 9.1 compares
/// more than their values.
std::string draw_lines(Random& random, char delimiter) {
  static const std::vector<std::string> kParts = split(
      " |  |\t|.|,|:|a|A|x|b "
      "|0|00|1|10|-|-1|1.5|1.50|12345|99999999999999999999|1234567890123456|-0|-.5|.05|1e3|inf|0x1F|"
      "+3|K|M|k|jan| Feb|MAR |Dece|~|a1|a01|v1.2|.txt|\x01|\x02|\x0b|\x7f|\x80|\xf4|\xf5|\xfe|\xff");
  std::string lines;
  for (int i = 0; i < 120; ++i) {
    for (auto parts = random() % (random() % 30 == 0 ? 120 : 8); parts > 0; --parts) {
      lines += kParts[random() % kParts.size()];
      if (random() % 40 == 0) lines += delimiter == '\0' ? '\n' : '\0';
    }
    lines += delimiter;
  }
  return lines;
}

class OrderOfGnuSort : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::have_gnu_sort()) GTEST_SKIP() << "no GNU sort to compare with";
  }
  void TearDown() override { std::setlocale(LC_ALL, "C"); }

  /// `settings` are environment variables in shell syntax. The locale that they name is set already.
  void expect_same(const std::string& options, const std::string& lines, const std::string& settings) {
    Request request = request_of(options);
    request.format.text.locale = settings != "LC_ALL=C";
    std::memcpy(request.format.text.random_seed.emplace().data(), kSeed.data(), kSeed.size());
    test::write_whole_file(directory_ / "seed", std::string(kSeed));
    test::write_whole_file(directory_ / "in", lines);
    const std::string command = settings + " sort" + options + " --random-source=" + (directory_ / "seed") + " " +
                                (directory_ / "in") + " > " + (directory_ / "out");
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const std::string expected = test::read_whole_file(directory_ / "out");
    const auto records = test::records_of({.delimiter = request.format.delimiter}, lines);
    const std::string actual = sorted_lines(records, request);
    if (actual == expected) return;
    const auto differ = std::mismatch(actual.begin(), actual.end(), expected.begin(), expected.end()).first;
    const auto line = actual.rfind(request.format.delimiter, static_cast<std::size_t>(differ - actual.begin()));
    const std::size_t from = line == std::string::npos ? 0 : line;
    ADD_FAILURE() << command << "\ngives  " << testing::PrintToString(expected.substr(from, 200)) << "\nbut is "
                  << testing::PrintToString(actual.substr(from, 200));
  }

  void compare_generated(int count, const std::string& settings, unsigned seed) {
    Random random(seed);
    OptionGenerator generator(random);
    for (int i = 0; i < count && !HasFailure(); ++i) {
      const std::string options = generator.draw();
      SCOPED_TRACE("case " + std::to_string(i) + " of seed " + std::to_string(seed));
      const bool with_nul = options.find(" -z") != std::string::npos;
      expect_same(options, draw_lines(random, with_nul ? '\0' : '\n'), settings);
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_F(OrderOfGnuSort, GeneratedOptionsInC) { compare_generated(250, "LC_ALL=C", 1); }

TEST_F(OrderOfGnuSort, GeneratedOptionsInLocales) {
  for (const std::string locale : {"en_US.UTF-8", "de_DE.UTF-8", "es_ES.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale.c_str()) == nullptr) GTEST_SKIP() << "no locale " << locale;
    compare_generated(60, "LC_ALL=" + locale, 2);
  }
}

TEST_F(OrderOfGnuSort, GeneratedOptionsInLocalesThatCollateAsC) {
  for (const std::string locale : {"en_US.UTF-8", "de_DE.UTF-8", "es_ES.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale.c_str()) == nullptr) GTEST_SKIP() << "no locale " << locale;
    std::setlocale(LC_COLLATE, "C");
    compare_generated(60, "LC_ALL= LANG=" + locale + " LC_COLLATE=C", 3);
  }
}

}  // namespace
}  // namespace sortie
