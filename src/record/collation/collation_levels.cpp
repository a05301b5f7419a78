#include "record/collation/collation_levels.hpp"

#include <array>
#include <cstddef>

#include "record/collation/foretold_runs.hpp"

namespace sortie {
namespace {

char* put_first_level(const CollationTable& table, std::string_view level, char* out) {
  while (const Weight weight = take_weight(level)) {
    out = table.first_code.put(weight, out);
  }
  *out++ = WeightCode::kEnd;
  return out;
}

/// Foretold: the weight that letters have.
char* put_second_level(const CollationTable& table, std::string_view level, char* out) {
  ForetoldRuns runs(out);
  std::size_t run = 0;
  while (const Weight weight = take_weight(level)) {
    if (weight == table.second) {
      ++run;
      continue;
    }
    runs.put(run, weight < table.second ? Turn::kBelow : Turn::kAbove);
    runs.set_next(put_weight(weight, runs.next()));
    run = 0;
  }
  runs.put(run, Turn::kEnd);
  return runs.next();
}

/// How a weight of the third level that is neither `lower` nor `upper` breaks a run of one of them.
Turn third_level_turn(const CollationTable& table, Weight weight, bool is_upper) {
  if (weight < table.lower) {
    return Turn::kBelow;
  }
  if (weight > table.upper) {
    return is_upper ? Turn::kAbove : Turn::kAbove3;
  }
  return is_upper ? Turn::kBelow3 : Turn::kAbove;
}

/// Foretold: the last of `lower` and `upper` again.
char* put_third_level(const CollationTable& table, std::string_view level, char* out) {
  ForetoldRuns runs(out);
  std::size_t run = 0;
  bool is_upper = false;
  while (const Weight weight = take_weight(level)) {
    if (weight == (is_upper ? table.upper : table.lower)) {
      ++run;
      continue;
    }
    if (weight == table.lower || weight == table.upper) {
      runs.put(run, is_upper ? Turn::kBelow2 : Turn::kAbove2);
      is_upper = !is_upper;
    } else {
      runs.put(run, third_level_turn(table, weight, is_upper));
      runs.set_next(put_weight(weight, runs.next()));
    }
    run = 0;
  }
  runs.put(run, Turn::kEnd);
  return runs.next();
}

/// What the levels before foretell of the last: the weights of plain bytes one after the other. A letter with accents
/// has further weights on the second and third level, those on the second greater than `second`. A ligature has several
/// weights on the first level, and on the third the same odd one for each.
class Foretelling {
 public:
  Foretelling(const CollationTable& table, std::string_view first, std::string_view second, std::string_view third)
      : table_(table), first_(first), second_(second), third_(third), next_second_(take_weight(second_)) {
    advance();
  }

  Weight weight() const { return weight_; }

  void advance() {
    const Weight third = take_third();
    weight_ = table_.foretell_last(take_weight(first_), third);
    if (third != table_.lower && third != table_.upper) {
      while (!first_.empty() && next_third() == third) {
        take_third();
        take_weight(first_);
      }
    }
  }

 private:
  Weight next_third() const {
    std::string_view rest = third_;
    return take_weight(rest);
  }

  /// With those of accents.
  Weight take_third() {
    const Weight third = take_weight(third_);
    next_second_ = take_weight(second_);
    for (; next_second_ > table_.second; next_second_ = take_weight(second_)) {
      take_weight(third_);
    }
    return third;
  }

  const CollationTable& table_;
  std::string_view first_;
  std::string_view second_;
  std::string_view third_;
  Weight next_second_;
  Weight weight_ = 0;
};

char* put_last_level(const CollationTable& table, std::string_view level, Foretelling foretelling, char* out) {
  std::size_t run = 0;
  while (const Weight place = take_weight(level)) {
    const Weight weight = take_weight(level);
    if (place == kNextPlace && weight == foretelling.weight()) {
      ++run;
    } else {
      if (place != kNextPlace) {
        out = table.last_code.put(weight, put_weight(place, table.sign_runs.put_farther(run, out)));
      } else if (weight > foretelling.weight()) {
        out = table.last_code.put(weight, table.sign_runs.put_greater(run, out));
      } else {
        const std::uint8_t sign = table.last_code.byte_of(weight);
        out = table.sign_runs.put_sign(run, sign, out);
        out = table.last_code.is_gap(sign) ? put_weight(weight, out) : out;
      }
      run = 0;
    }
    if (weight >= table.least_last_weight) {
      foretelling.advance();
    }
  }
  return table.sign_runs.put_end(run, out);
}

}  // namespace

void append_collation_levels(const CollationTable& table, std::string_view transformed, std::string_view second,
                             std::string& out) {
  const auto levels = split_levels(transformed);
  const std::size_t begin = out.size();
  out.resize(begin + 2 * transformed.size() + kLevels);  // no weight takes more than one byte beside its own
  char* next = out.data() + begin;
  next = put_first_level(table, levels[0], next);
  next = put_second_level(table, second, next);
  next = put_third_level(table, levels[2], next);
  next = put_last_level(table, levels[3], Foretelling(table, levels[0], second, levels[2]), next);
  out.resize(static_cast<std::size_t>(next - out.data()));
}

}  // namespace sortie
