#include "record/collation/collation_table.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "record/collation/transformed_text.hpp"

namespace sortie {
namespace {

constexpr unsigned kAsciiBytes = 128;

/// The levels of a text of plain bytes, added up.
struct Levels {
  std::array<std::string, kLevels> levels;

  void add(const Levels& other) {
    for (std::size_t i = 0; i < kLevels; ++i) {
      levels[i] += other.levels[i];
    }
  }
  bool operator==(const std::array<std::string_view, kLevels>& split) const {
    return std::equal(levels.begin(), levels.end(), split.begin());
  }
};

/// What is learned of one byte.
struct LearnedByte {
  bool plain = false;
  bool weighted = false;
  Weight first = 0;
  Weight second = 0;
  Weight third = 0;
  Weight last = 0;
  Levels levels;
};
using LearnedBytes = std::array<LearnedByte, kAsciiBytes>;

/// Plain as far as its own weights tell: one on each level or on the last only.
LearnedByte learn_byte(char byte) {
  std::string transformed;
  append_transformed_piece(std::string(1, byte), transformed);
  LearnedByte learned;
  auto split = split_levels(transformed);
  std::copy(split.begin(), split.end(), learned.levels.levels.begin());
  learned.first = take_weight(split[0]);
  learned.second = take_weight(split[1]);
  learned.third = take_weight(split[2]);
  const Weight place = take_weight(split[3]);
  learned.last = take_weight(split[3]);
  learned.weighted = learned.first != 0;
  learned.plain = learned.weighted == (learned.second != 0) && learned.weighted == (learned.third != 0) &&
                  place == kNextPlace && learned.last != 0 &&
                  std::all_of(split.begin(), split.end(), [](std::string_view rest) { return rest.empty(); });
  return learned;
}

/// Whether strxfrm() of `text` is the levels of its bytes one after the other.
bool adds_up(const std::string& text, const LearnedBytes& bytes) {
  Levels sum;
  for (const char byte : text) {
    sum.add(bytes[static_cast<unsigned char>(byte)].levels);
  }
  std::string transformed;
  append_transformed_piece(text, transformed);
  return sum == split_levels(transformed);
}

std::string plain_bytes(const LearnedBytes& bytes, std::string_view among) {
  std::string plain;
  std::copy_if(among.begin(), among.end(), std::back_inserter(plain),
               [&](char byte) { return bytes[static_cast<unsigned char>(byte)].plain; });
  return plain;
}

/// `head` before each of `tails`.
std::string with_each(std::string_view head, std::string_view tails) {
  std::string text;
  for (const char tail : tails) {
    text.append(head).push_back(tail);
  }
  return text;
}

/// Bytes that weigh otherwise beside others are not plain. All pairs are tried, and all triples of small letters, as
/// the letters that some languages write with three signs would be.
void refuse_bytes_that_join(LearnedBytes& bytes) {
  std::string all;
  for (unsigned byte = 1; byte < kAsciiBytes; ++byte) {
    all.push_back(static_cast<char>(byte));
  }
  for (const char head : plain_bytes(bytes, all)) {
    if (!adds_up(with_each({&head, 1}, plain_bytes(bytes, all)), bytes)) {
      bytes[static_cast<unsigned char>(head)].plain = false;
    }
  }
  constexpr std::string_view kSigns = "abcdefghijklmnopqrstuvwxyz'";
  for (const char head : plain_bytes(bytes, kSigns)) {
    const std::string signs = plain_bytes(bytes, kSigns);
    const bool all_add_up = std::all_of(signs.begin(), signs.end(), [&](char middle) {
      return adds_up(with_each(std::string{head, middle}, signs), bytes);
    });
    bytes[static_cast<unsigned char>(head)].plain = all_add_up;
  }
}

/// Takes the common weights from the letters, and refuses bytes with others.
bool find_common_weights(LearnedBytes& bytes, CollationTable& table) {
  const LearnedByte& small = bytes['a'];
  const LearnedByte& capital = bytes['A'];
  if (!small.plain || !small.weighted || !capital.plain || !capital.weighted || small.third == capital.third) {
    return false;
  }
  table.second = small.second;
  std::tie(table.lower, table.upper) = std::minmax(small.third, capital.third);
  for (LearnedByte& byte : bytes) {
    byte.plain =
        byte.plain &&
        (!byte.weighted || (byte.second == table.second && (byte.third == table.lower || byte.third == table.upper)));
  }
  return true;
}

/// Refuses forward elements without a weight on the second level: they change what is passed over behind them.
void refuse_weightless_bytes(const BackwardElements& backward, LearnedBytes& bytes) {
  for (unsigned i = 1; i < kAsciiBytes; ++i) {
    const char element = static_cast<char>(i);
    bytes[i].plain = bytes[i].plain && (bytes[i].weighted || !backward.any() || backward.is_backward({&element, 1}));
  }
}

/// False if there are too many weights.
bool make_codes(const LearnedBytes& bytes, CollationTable& table) {
  std::vector<Weight> first_weights;
  std::vector<Weight> last_weights;
  for (const LearnedByte& byte : bytes) {
    if (byte.plain) {
      (byte.weighted ? first_weights : last_weights).push_back(byte.weighted ? byte.first : byte.last);
    }
  }
  if (std::max(first_weights.size(), last_weights.size()) > WeightCode::kMostWeights) {
    return false;
  }
  table.first_code = WeightCode(std::move(first_weights));
  table.last_code = WeightCode(last_weights);
  table.sign_runs = SignRuns(table.last_code, std::move(last_weights), bytes[' '].last);
  return true;
}

/// Refuses weighted bytes that others foretell already, and bytes without weights that could be taken for foretold
/// ones.
void foretell_last_weights(LearnedBytes& bytes, CollationTable& table) {
  for (auto& weights : table.last_weights) {
    weights.fill(kNotForetold);
  }
  for (LearnedByte& byte : bytes) {
    if (byte.plain && byte.weighted) {
      Weight& foretold = table.last_weights[table.first_code.byte_of(byte.first)][byte.third == table.upper];
      byte.plain = foretold == kNotForetold;
      if (byte.plain) {
        foretold = byte.last;
        table.least_last_weight = std::min(table.least_last_weight, byte.last);
      }
    }
  }
  for (LearnedByte& byte : bytes) {
    byte.plain = byte.plain && (byte.weighted || byte.last < table.least_last_weight);
  }
}

void fill_bytes(const LearnedBytes& bytes, const BackwardElements& backward, CollationTable& table) {
  for (unsigned i = 1; i < kAsciiBytes; ++i) {
    const LearnedByte& byte = bytes[i];
    if (byte.plain) {
      const char element = static_cast<char>(i);
      const int kind = (byte.weighted ? PlainByte::kWeighted : 0) |
                       (byte.weighted && byte.third == table.upper ? PlainByte::kUpper : 0) |
                       (backward.is_backward({&element, 1}) ? PlainByte::kBackward : 0);
      table.bytes[i] = {.first = byte.weighted ? table.first_code.byte_of(byte.first) : std::uint8_t{0},
                        .last = byte.weighted ? std::uint8_t{0} : table.last_code.byte_of(byte.last),
                        .kind = static_cast<std::uint8_t>(kind)};
    }
  }
}

}  // namespace

std::optional<CollationTable> learn_collation_table(const BackwardElements& backward) {
  LearnedBytes bytes;
  for (unsigned i = 1; i < kAsciiBytes; ++i) {
    bytes[i] = learn_byte(static_cast<char>(i));
  }
  CollationTable table;
  refuse_bytes_that_join(bytes);
  if (!find_common_weights(bytes, table)) {
    return std::nullopt;
  }
  refuse_weightless_bytes(backward, bytes);
  if (!make_codes(bytes, table)) {
    return std::nullopt;
  }
  foretell_last_weights(bytes, table);
  fill_bytes(bytes, backward, table);
  return table;
}

}  // namespace sortie
