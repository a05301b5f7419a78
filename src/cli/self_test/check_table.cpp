#include "cli/self_test/check_table.hpp"

#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <random>
#include <utility>

namespace sortie::cli {
namespace {

using Random = std::mt19937_64;

/// Several times the least memory of a sort.
constexpr std::size_t kSampleBytes = 1 << 20;
constexpr std::size_t kLargeSampleBytes = 32 << 20;

std::uint64_t below(Random& random, std::uint64_t end) { return random() % end; }

std::string word(Random& random, std::string_view letters, std::size_t longest) {
  std::string text(1 + below(random, longest), '\0');
  for (char& letter : text) letter = letters[below(random, letters.size())];
  return text;
}

std::string small_word(Random& random) { return word(random, "abcdefgh", 4); }

template <class Record>
std::string many(Record record) {
  Random random(1);
  std::string bytes;
  while (bytes.size() < kSampleBytes) bytes += record(random);
  return bytes;
}

template <class Record, class Value>
Sample lines_by(Record record, Value value) {
  std::string input = many([&](Random& random) { return record(random) + "\n"; });
  std::string expected = sorted_lines(input, value);
  return {std::move(input), std::move(expected)};
}

double number_of(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

template <class Keep>
std::string only(std::string_view text, Keep keep) {
  std::string result;
  for (const char character : text) {
    if (keep(static_cast<unsigned char>(character))) result += character;
  }
  return result;
}

std::string in_capitals(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return result;
}

// --- Lines ---

Sample plain_lines() {
  std::string input = sample_lines();
  std::string expected = sorted_lines(input);
  return {std::move(input), std::move(expected)};
}

Sample falling_lines() {
  std::string input = sample_lines();
  RecordList lines = lines_of(input);
  std::ranges::sort(lines, [](std::string_view a, std::string_view b) { return content(b) < content(a); });
  return {input, joined(lines)};
}

Sample lines_ended_by_zero() {
  std::string input = many([](Random& random) { return word(random, "ab\n\t", 24) + '\0'; });
  std::string expected = sorted_by(lines_of(input, '\0'), content);
  return {std::move(input), std::move(expected)};
}

Sample lines_with_header() {
  Sample sample = plain_lines();
  for (std::string* bytes : {&sample.input, &sample.expected}) bytes->insert(0, "zzz: the header\n");
  return sample;
}

Sample numbers() {
  return lines_by(
      [](Random& random) {
        if (below(random, 50) == 0) return small_word(random);
        const auto digits = std::to_string(below(random, 2'000'000));
        return (below(random, 2) == 0 ? "-" : "") + digits + "." + std::to_string(below(random, 100)) + " x";
      },
      number_of);
}

Sample general_numbers() {
  return lines_by(
      [](Random& random) {
        if (below(random, 50) == 0) return small_word(random) + "z";
        if (below(random, 50) == 0) return std::string(below(random, 2) == 0 ? "-inf" : "inf");
        return std::to_string(static_cast<int>(below(random, 20000)) - 10000) + "e" +
               std::to_string(static_cast<int>(below(random, 40)) - 20);
      },
      [](std::string_view line) {
        const bool is_number = !line.ends_with('z');
        return std::pair(is_number, is_number ? number_of(line) : 0);
      });
}

Sample human_numbers() {
  return lines_by(
      [](Random& random) {
        return std::to_string(1 + below(random, 1000)) + "." + std::to_string(below(random, 10)) +
               std::string("KMGT").substr(below(random, 4), 1);
      },
      [](std::string_view line) { return std::pair(std::string_view("KMGT").find(line.back()), number_of(line)); });
}

constexpr std::array<std::string_view, 13> kMonths = {"none", "JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                                      "JUL",  "AUG", "SEP", "OCT", "NOV", "DEC"};

Sample months() {
  return lines_by([](Random& random) { return std::string(kMonths[below(random, 13)]) + " " + small_word(random); },
                  [](std::string_view line) { return std::ranges::find(kMonths, line.substr(0, line.find(' '))); });
}

Sample versions() {
  return lines_by(
      [](Random& random) {
        std::string text = "v";
        for (int i = 0; i < 3; ++i) text += (i > 0 ? "." : "") + std::to_string(below(random, 120));
        return text;
      },
      [](std::string_view line) {
        const std::string text(line.substr(1));
        std::array<long, 3> parts{};
        const char* place = text.c_str();
        for (long& part : parts) {
          char* end = nullptr;
          part = std::strtol(place, &end, 10);
          place = end + (*end != '\0');
        }
        return parts;
      });
}

std::string odd_line(Random& random) { return word(random, "abAB12 ._-\x01\x02", 20); }

Sample folded() { return lines_by(odd_line, in_capitals); }

Sample dictionary() {
  return lines_by(odd_line, [](std::string_view line) {
    return only(line, [](unsigned char byte) { return std::isalnum(byte) || byte == ' '; });
  });
}

Sample printable() {
  return lines_by(odd_line, [](std::string_view line) {
    return only(line, [](unsigned char byte) { return std::isprint(byte); });
  });
}

Sample blanks() {
  return lines_by(
      [](Random& random) { return small_word(random) + std::string(1 + below(random, 5), ' ') + small_word(random); },
      [](std::string_view line) { return line.substr(line.rfind(' ') + 1); });
}

std::string line_of_fields(Random& random) {
  return small_word(random) + "," + small_word(random) + "," + std::to_string(below(random, 500));
}

Sample two_keys() {
  return lines_by(line_of_fields, [](std::string_view line) {
    return std::pair(-number_of(field_of(line, ',', 2)), field_of(line, ',', 0));
  });
}

Sample stable_keys() {
  std::string input = many([](Random& random) { return line_of_fields(random) + "\n"; });
  std::string expected =
      sorted_by(lines_of(input), [](std::string_view line) { return field_of(content(line), ',', 1); });
  return {std::move(input), std::move(expected)};
}

template <class Take>
Sample grouped(Take take) {
  std::string input = many([](Random& random) { return line_of_fields(random) + "\n"; });
  std::map<std::string_view, RecordList> groups;
  for (const std::string_view line : lines_of(input)) groups[field_of(content(line), ',', 1)].push_back(line);
  std::string expected;
  for (const auto& [key, lines] : groups) expected += take(lines);
  return {std::move(input), std::move(expected)};
}

Sample first_of_equal() {
  return grouped([](const RecordList& lines) { return std::string(lines.front()); });
}

Sample last_of_equal() {
  return grouped([](const RecordList& lines) { return std::string(lines.back()); });
}

Sample counted() {
  return grouped([](const RecordList& lines) {
    std::string count = std::to_string(lines.size());
    count.insert(0, 7 - std::min<std::size_t>(7, count.size()), ' ');
    return count + " " + std::string(lines.front());
  });
}

Sample first_lines() {
  Sample sample = plain_lines();
  const RecordList lines = lines_of(sample.expected);
  sample.expected = joined(RecordList(lines.begin(), lines.begin() + 100));
  return sample;
}

Sample shuffled() {
  std::string input = sample_lines();
  return {input, input};
}

Sample collated_lines() {
  std::string input = many([](Random& random) {
    constexpr std::array<std::string_view, 12> kLetters = {"a", "A", "b", "e", "\xc3\xa9", "\xc3\x84",
                                                           "n", "-", " ", "z", "\xc3\xb1", "1"};
    std::string line;
    for (std::uint64_t i = 0, end = 1 + below(random, 12); i < end; ++i) line += kLetters[below(random, 12)];
    return line + "\n";
  });
  struct Collated {
    std::string text;
    bool operator<(const Collated& other) const { return std::strcoll(text.c_str(), other.text.c_str()) < 0; }
    bool operator!=(const Collated& other) const { return std::strcoll(text.c_str(), other.text.c_str()) != 0; }
  };
  std::string expected = sorted_lines(input, [](std::string_view line) { return Collated{std::string(line)}; });
  return {std::move(input), std::move(expected)};
}

// --- CSV ---

struct Row {
  std::string text;
  std::string name;
  std::uint64_t price;
};

Row random_row(Random& random) {
  Row row{.text = {}, .name = small_word(random), .price = below(random, 300)};
  row.text = "\"" + row.name + "\"," + std::to_string(row.price) + ",\"" + small_word(random) + ",\n\"\"\"\n";
  return row;
}

Sample csv_rows() {
  Random random(1);
  std::vector<Row> rows;
  for (std::size_t bytes = 0; bytes < kSampleBytes; bytes += rows.back().text.size())
    rows.push_back(random_row(random));
  Sample sample{.input = "name,price,\"a\nnote\"\n", .expected = {}};
  sample.expected = sample.input;
  for (const Row& row : rows) sample.input += row.text;
  std::ranges::stable_sort(
      rows, [](const Row& a, const Row& b) { return a.price != b.price ? a.price > b.price : a.name < b.name; });
  for (const Row& row : rows) sample.expected += row.text;
  return sample;
}

// --- Records ---

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

template <std::size_t Bytes, class Value>
Sample records_by(Value value) {
  std::string input = many([](Random& random) { return random_bytes(random, Bytes); });
  std::string expected = sorted_by(fixed_records_of(input, Bytes), value);
  return {std::move(input), std::move(expected)};
}

Sample two_fields() {
  std::string input = many([](Random& random) {
    std::string record = random_bytes(random, 24);
    record.replace(4, 3, 3, '\0');  // so that many are equal in the first field
    return record;
  });
  std::string expected = sorted_by(fixed_records_of(input, 24), [](std::string_view record) {
    // Of the big-endian number only the last byte is not 0, and it falls.
    return std::pair(-static_cast<int>(static_cast<unsigned char>(record[7])),
                     place_of_float(number_at<std::uint64_t>(record, 16)));
  });
  return {std::move(input), std::move(expected)};
}

Sample gensort_records() {
  return records_by<100>([](std::string_view record) { return record.substr(0, 10); });
}

template <class Number>
Sample integers() {
  return records_by<sizeof(Number)>([](std::string_view record) { return number_at<Number>(record, 0); });
}

template <class Bits>
Sample floats() {
  return records_by<sizeof(Bits)>([](std::string_view record) { return place_of_float(number_at<Bits>(record, 0)); });
}

Sample many_integers() {
  Random random(1);
  std::vector<std::uint64_t> numbers(kLargeSampleBytes / sizeof(std::uint64_t));
  for (std::uint64_t& number : numbers) number = random();
  const auto bytes = [&] { return std::string(reinterpret_cast<const char*>(numbers.data()), kLargeSampleBytes); };
  Sample sample{.input = bytes(), .expected = {}};
  std::ranges::stable_sort(numbers);
  sample.expected = bytes();
  return sample;
}

Sample prefixed_records() {
  std::string input = many([](Random& random) {
    const std::array<std::uint32_t, 2> lengths = {static_cast<std::uint32_t>(below(random, 6)),
                                                  static_cast<std::uint32_t>(below(random, 40))};
    std::string record(sizeof(lengths), '\0');
    std::memcpy(record.data(), lengths.data(), sizeof(lengths));
    return record + random_bytes(random, lengths[0] + lengths[1]);
  });
  std::string expected = sorted_by(prefixed_records_of(input), [](std::string_view record) {
    return record.substr(8, number_at<std::uint32_t>(record, 0));
  });
  return {std::move(input), std::move(expected)};
}

}  // namespace

std::string sample_lines() {
  return many([](Random& random) {
    return (below(random, 4) == 0 ? small_word(random) : word(random, "abcdefghijklmnopqrstuvwxyz ", 60)) + "\n";
  });
}

std::span<const SortCheck> sort_checks() {
  static const std::vector<SortCheck> checks = {
      {"lines", {}, plain_lines},
      {"lines, falling", {"-r"}, falling_lines},
      {"lines ended by NUL", {"-z"}, lines_ended_by_zero},
      {"lines with a header", {"--header"}, lines_with_header},
      {"lines in the order of the locale", {}, collated_lines, true, true},
      {"numbers", {"-n"}, numbers},
      {"numbers as programs write them", {"-g"}, general_numbers},
      {"numbers with units", {"-h"}, human_numbers},
      {"months", {"-M"}, months},
      {"versions", {"-V"}, versions},
      {"letters without their case", {"-f"}, folded},
      {"letters and digits alone", {"-d"}, dictionary},
      {"printable characters alone", {"-i"}, printable},
      {"a key behind blanks", {"-b", "-k2"}, blanks},
      {"two keys", {"-t,", "-k3,3nr", "-k1,1"}, two_keys},
      {"equal keys in their order", {"-s", "-t,", "-k2,2"}, stable_keys},
      {"the first of equal keys", {"-u", "-t,", "-k2,2"}, first_of_equal},
      {"the last of equal keys", {"-u", "--keep=last", "-t,", "-k2,2"}, last_of_equal},
      {"equal keys counted", {"--count", "-t,", "-k2,2"}, counted},
      {"the first 100 lines", {"--top=100"}, first_lines, false},
      {"lines shuffled", {"-R"}, shuffled, true, false, fault_of_shuffle},
      {"CSV by two columns", {"--csv", "--key=price:n:desc", "--key=name"}, csv_rows},
      {"records of 24 bytes by two fields",
       {"--format=fixed:24", "--field=u32be@4:desc", "--field=f64@16"},
       two_fields},
      {"records of gensort", {"--format=gensort"}, gensort_records},
      {"length-prefixed records", {"--format=prefixed"}, prefixed_records},
      {"u32", {"--format=u32"}, integers<std::uint32_t>},
      {"i32", {"--format=i32"}, integers<std::int32_t>},
      {"u64", {"--format=u64"}, integers<std::uint64_t>},
      {"i64", {"--format=i64"}, integers<std::int64_t>},
      {"f32", {"--format=f32"}, floats<std::uint32_t>},
      {"f64", {"--format=f64"}, floats<std::uint64_t>},
  };
  return checks;
}

const SortCheck& large_check() {
  static const SortCheck check = {"32 MiB of u64", {"--format=u64"}, many_integers};
  return check;
}

}  // namespace sortie::cli
