#include "cli/options/argument_parser.hpp"

#include <cstdlib>
#include <utility>

#include <sortie/text_keys.hpp>

#include "base/quote.hpp"
#include "base/whole_number.hpp"
#include "option/door.hpp"

namespace sortie::cli {
namespace {

using option::Origin;
using option::Spec;
using option::UsageError;

constexpr char kObsoleteSize = 'y';

/// The version of POSIX that this system follows, as YYYYMM, unless the environment names another.
constexpr long kPosixVersion = 200809;
/// From this version on, "+1" was a file; the next version left that open again.
constexpr long kFirstVersionWithoutObsoleteKeys = 200112;

long posix_version() {
  const char* text = std::getenv("_POSIX2_VERSION");
  if (text == nullptr) return kPosixVersion;
  return whole_number<long>(text).value_or(kPosixVersion);
}

/// The first option of the command for which `fits` holds; null if there is none.
template <class Fits>
const Spec* find_first(const Fits& fits) {
  const Spec* found = nullptr;
  option::for_each_option([&](const Spec& spec) {
    if (found == nullptr && fits(spec)) found = &spec;
  });
  return found;
}

const Spec* find_short(char letter) {
  return find_first([&](const Spec& spec) { return spec.short_name == letter; });
}

const Spec* find_exact(std::string_view name, Origin origin) {
  return find_first([&](const Spec& spec) { return spec.origin == origin && !name.empty() && spec.long_name == name; });
}

/// The only option whose name begins with `name`; null if there is none. Throws UsageError with `word` if there are
/// several.
const Spec* find_shortened(std::string_view name, Origin origin, std::string_view word) {
  const Spec* found = nullptr;
  int count = 0;
  std::string names;
  option::for_each_option([&](const Spec& spec) {
    if (spec.origin != origin || spec.long_name.empty() || !spec.long_name.starts_with(name)) return;
    found = &spec;
    ++count;
    names.append(" '--").append(spec.long_name).append("'");
  });
  if (count > 1) throw UsageError("option '" + escape_unprintable(word) + "' is ambiguous; possibilities:" + names);
  return found;
}

const Spec& find_long(std::string_view name, std::string_view word, bool gnu_names_first) {
  const Spec* spec = find_exact(name, Origin::kGnu);
  if (spec == nullptr && !gnu_names_first) spec = find_exact(name, Origin::kSortie);
  if (spec == nullptr) spec = find_shortened(name, Origin::kGnu, word);
  if (spec == nullptr) spec = find_exact(name, Origin::kSortie);
  if (spec == nullptr) spec = find_shortened(name, Origin::kSortie, word);
  if (spec == nullptr) throw UsageError("unrecognized option '" + escape_unprintable(word) + "'");
  return *spec;
}

bool asks_for_check(const Spec& spec) {
  return spec.long_name == "check" || spec.short_name == 'c' || spec.short_name == 'C';
}

}  // namespace

ArgumentRules ArgumentRules::from_environment(std::string_view program) {
  const long version = posix_version();
  return {.operands_end_options = std::getenv("POSIXLY_CORRECT") != nullptr,
          .obsolete_keys = version < kFirstVersionWithoutObsoleteKeys || version >= kPosixVersion,
          .gnu_names_first = program == "sort"};
}

ArgumentReader::ArgumentReader(std::vector<std::string> words, ArgumentRules rules)
    : words_(std::move(words)), rules_(rules) {}

std::optional<Argument> ArgumentReader::next() {
  if (!short_options_.empty()) return next_short_option();
  if (position_ == words_.size()) return std::nullopt;
  if (options_have_ended()) return Argument{.value = words_[position_++]};
  const std::string& word = words_[position_];
  if (word == "--") {
    ended_by_dashes_ = true;
    ++position_;
    return next();
  }
  if (word.starts_with("--")) {
    ++position_;
    return next_long_option(word);
  }
  if (word.size() > 1 && word.front() == '-') {
    ++position_;
    short_options_ = word.substr(1);
    return next_short_option();
  }
  return next_operand();
}

bool ArgumentReader::options_have_ended() const {
  if (ended_by_dashes_) return true;
  if (!rules_.operands_end_options || !operand_seen_) return false;
  // Where obsolete keys are allowed, so is the custom of writing "-o FILE" last.
  const std::string& word = words_[position_];
  const bool output = word.starts_with("-o") && (word.size() > 2 || position_ + 1 < words_.size());
  return !(rules_.obsolete_keys && !check_seen_ && output);
}

Argument ArgumentReader::option(const Spec& spec, std::string name, const std::optional<std::string>& value) {
  check_seen_ |= asks_for_check(spec);
  return {.kind = Argument::Kind::kOption,
          .option = &spec,
          .name = std::move(name),
          .value = value.value_or(""),
          .has_value = value.has_value()};
}

// On other systems "-y" takes a size; here it means nothing. A following word that does not look like a size is left
// alone.
void ArgumentReader::skip_obsolete_size() {
  if (!std::exchange(short_options_, "").empty()) return;
  if (position_ == words_.size()) throw UsageError("option requires an argument -- 'y'");
  if (words_[position_].find_first_not_of("0123456789") == std::string::npos) ++position_;
}

std::optional<Argument> ArgumentReader::next_short_option() {
  const char letter = short_options_.front();
  short_options_.erase(0, 1);
  if (letter == kObsoleteSize) {
    skip_obsolete_size();
    return next();
  }
  const Spec* found = find_short(letter);
  if (found == nullptr) throw UsageError("invalid option -- '" + escape_unprintable({&letter, 1}) + "'");
  std::optional<std::string> value;
  if (found->takes_value()) {
    value = std::exchange(short_options_, "");
    if (value->empty()) {
      if (position_ == words_.size()) {
        throw UsageError(std::string("option requires an argument -- '") + letter + "'");
      }
      value = words_[position_++];
    }
  }
  return option(*found, {'-', letter}, value);
}

Argument ArgumentReader::next_long_option(std::string_view word) {
  const std::size_t equals = word.find('=');
  const Spec& found = find_long(word.substr(2, equals - 2), word, rules_.gnu_names_first);
  const std::string name = "--" + std::string(found.long_name);
  std::optional<std::string> value;
  if (equals != std::string_view::npos) {
    if (!found.takes_value()) throw UsageError("option '" + name + "' doesn't allow an argument");
    value = word.substr(equals + 1);
    // --check itself refuses a value that it cannot take, as GNU sort does.
    const bool is_check = asks_for_check(found);
    const bool needs_more = (found.value_is_optional() && !is_check) || found.origin == Origin::kSortie;
    if (value->empty() && needs_more) throw UsageError("option '" + name + "' requires an argument");
  } else if (found.takes_value() && !found.value_is_optional()) {
    if (position_ == words_.size()) throw UsageError("option '" + name + "' requires an argument");
    value = words_[position_++];
  }
  return option(found, name, value);
}

bool ArgumentReader::key_end_follows() const {
  if (position_ == words_.size()) return false;
  const std::string& word = words_[position_];
  return word.size() > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9';
}

Argument ArgumentReader::next_operand() {
  Argument argument{.value = words_[position_++]};
  if (argument.value.starts_with('+')) {
    const bool with_end = key_end_follows();
    // A key written with an end shows that obsolete keys are meant.
    rules_.obsolete_keys |= with_end && !rules_.operands_end_options;
    if (rules_.obsolete_keys && parse_obsolete_key(argument.value, "")) {
      argument.kind = Argument::Kind::kObsoleteKey;
      if (with_end) argument.key_end = words_[position_++];
      return argument;
    }
  }
  operand_seen_ = true;
  return argument;
}

}  // namespace sortie::cli
