#include "pipeline/checkpoint/manifest.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/quote.hpp"

namespace sortie {
namespace {

constexpr std::string_view kMagic = "sortie-checkpoint";
constexpr std::string_view kRunWord = "run";
constexpr std::string_view kReplacementWord = "merged";
constexpr std::size_t kSealDigits = 32;

Checksum as_checksum(const RandomSeed& seed) {
  Checksum words;
  std::memcpy(&words.low, seed.data(), sizeof words.low);
  std::memcpy(&words.high, seed.data() + sizeof words.low, sizeof words.high);
  return words;
}

RandomSeed as_seed(const Checksum& words) {
  RandomSeed seed;
  std::memcpy(seed.data(), &words.low, sizeof words.low);
  std::memcpy(seed.data() + sizeof words.low, &words.high, sizeof words.high);
  return seed;
}

/// The format version that the first line states, 0 if it states none. Throws Error if this is no manifest.
std::uint64_t version_of(std::string_view text, const CheckpointLocation& location) {
  const std::string_view line = text.substr(0, text.find('\n'));
  WordCursor words(line);
  if (words.word() != kMagic) {
    refuse_checkpoint(location, "its file 'sortie-manifest' is not a manifest of Sortie", "name another directory");
  }
  return words.number();
}

// Numbers of kinds are part of the format: new ones come behind the others.
constexpr auto kMostKind = static_cast<std::uint64_t>(GuessKind::kLeftComments);
static_assert(kMostKind == 17);

}  // namespace

std::string remedy_to_begin_anew(const CheckpointLocation& location) {
  return location.holds_other_files ? "name another directory"
                                    : "remove the directory " + quote_word(location.directory) + " to sort anew";
}

void refuse_checkpoint(const CheckpointLocation& location, const std::string& reason, const std::string& remedy) {
  throw Error("checkpoint " + quote_word(location.directory) + " cannot be used: " + reason + "; " + remedy);
}

void refuse_damaged(const CheckpointLocation& location, const std::string& reason) {
  refuse_checkpoint(location, reason, remedy_to_begin_anew(location));
}

WordBuilder& WordBuilder::assumed(const Assumptions::Counted& value) {
  number(value.records).number(value.guesses.size());
  for (const Assumptions::Guess& guess : value.guesses) {
    number(static_cast<std::uint64_t>(guess.kind)).number(guess.count).bytes(guess.subject).bytes(guess.text);
    bytes(guess.position.path).number(guess.position.line).bytes(guess.position.word);
  }
  return *this;
}

std::string WordCursor::bytes() {
  const std::string_view found = word();
  const bool is_marked = found.starts_with(WordBuilder::kBytesMark);
  const std::optional<std::string> value = is_marked ? from_base64(found.substr(1)) : std::nullopt;
  if (!value) failed_ = true;
  return value.value_or("");
}

Assumptions::Counted WordCursor::assumed() {
  Assumptions::Counted value{number()};
  for (std::uint64_t left = number(); left > 0 && !failed_; --left) {
    Assumptions::Guess& guess = value.guesses.emplace_back();
    const std::uint64_t kind = number();
    guess.kind = static_cast<GuessKind>(std::min(kind, kMostKind));
    guess.count = number();
    guess.subject = bytes();
    guess.text = bytes();
    guess.position.path = bytes();
    guess.position.line = number();
    guess.position.word = bytes();
    if (kind > kMostKind) failed_ = true;
  }
  return value;
}

Manifest::Manifest(const ManifestHeader& header) : header_(header) { pass(header_line()); }

std::string Manifest::beginning_of_header(std::uint64_t job_id) {
  return WordBuilder(kMagic).number(kManifestVersion).hex(job_id).text();
}

std::string Manifest::header_line() const {
  WordBuilder words(beginning_of_header(header_.job_id));
  words.number(header_.made_directory ? 1 : 0);
  words.checksum(as_checksum(header_.seed)).checksum(header_.identity.inputs).checksum(header_.identity.options);
  Manifest before_it;
  return before_it.seal(words.text());
}

std::string Manifest::add_run(const KeptRun& run, const InputMark& end) {
  std::string line = seal(WordBuilder(kRunWord)
                              .run(run)
                              .number(end.input)
                              .number(end.offset)
                              .totals(end.totals)
                              .assumed(end.assumed)
                              .text());
  take_run(run, end);
  pass(line);
  return line;
}

std::string Manifest::replace_runs(std::size_t first, std::size_t count, const KeptRun& run) {
  std::string line = seal(WordBuilder(kReplacementWord).number(first).number(count).run(run).text());
  take_replacement(first, count, run);
  pass(line);
  return line;
}

Manifest Manifest::parse(std::string_view text, const CheckpointLocation& location) {
  const std::uint64_t version = version_of(text, location);
  if (version != kManifestVersion && version != 0) {
    refuse_checkpoint(location,
                      "it has format version " + std::to_string(version) + ", this program reads version " +
                          std::to_string(kManifestVersion),
                      "go on with the program that began it, or " + remedy_to_begin_anew(location));
  }
  Manifest manifest;
  for (std::uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view found = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (end != std::string_view::npos && manifest.take_line(found)) continue;
    if (text.empty() && line > 1) break;  // a power cut interrupted the writing of this line
    refuse_damaged(location, "line " + std::to_string(line) + " of its manifest is damaged");
  }
  return manifest;
}

// `line` comes without its newline.
bool Manifest::take_line(std::string_view line) {
  if (line.size() <= kSealDigits + 1) return false;
  const std::string_view content = line.substr(0, line.size() - kSealDigits - 1);
  const std::string sealed = seal(std::string(content));
  if (std::string_view(sealed).substr(0, sealed.size() - 1) != line) return false;
  if (text_bytes_ == 0 ? !take_header(content) : !take_entry(content)) return false;
  pass(sealed);
  return true;
}

bool Manifest::take_header(std::string_view content) {
  WordCursor words(content);
  if (words.word() != kMagic || words.number() != kManifestVersion) return false;
  header_.job_id = words.hex();
  const std::uint64_t made = words.number();
  header_.made_directory = made == 1;
  header_.seed = as_seed(words.checksum());
  header_.identity.inputs = words.checksum();
  header_.identity.options = words.checksum();
  return words.complete() && made <= 1;
}

bool Manifest::take_entry(std::string_view content) {
  WordCursor words(content);
  const std::string_view kind = words.word();
  if (kind == kRunWord) {
    const KeptRun run = words.run();
    InputMark end;
    end.input = words.number();
    end.offset = words.number();
    end.totals = words.totals();
    end.assumed = words.assumed();
    return words.complete() && take_run(run, end);
  }
  if (kind != kReplacementWord) return false;
  const std::uint64_t first = words.number();
  const std::uint64_t count = words.number();
  const KeptRun run = words.run();
  return words.complete() && take_replacement(first, count, run);
}

// Returns false if the entry contradicts what came before. The next two functions do the same.
bool Manifest::take_run(const KeptRun& run, const InputMark& end) {
  const bool goes_on = end.totals.records > end_.totals.records && end.totals.bytes > end_.totals.bytes &&
                       (end.input > end_.input || (end.input == end_.input && end.offset > end_.offset)) &&
                       end.assumed.records <= end.totals.records;
  if (!goes_on || !take_number(run.number)) return false;
  runs_.push_back(run);
  end_ = end;
  return true;
}

bool Manifest::take_replacement(std::uint64_t first, std::uint64_t count, const KeptRun& run) {
  if (first >= runs_.size() || count < 2 || count > runs_.size() - first) return false;
  if (!take_number(run.number)) return false;
  const auto begin = runs_.begin() + static_cast<std::ptrdiff_t>(first);
  *begin = run;
  runs_.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(count));
  return true;
}

// Returns false if the number was used before, or if no number is left after it.
bool Manifest::take_number(std::uint64_t number) {
  if (number == std::numeric_limits<std::uint64_t>::max() || !numbers_.insert(number).second) return false;
  next_number_ = std::max(next_number_, number + 1);
  return true;
}

void Manifest::pass(std::string_view line) {
  last_seal_ = line.substr(line.size() - kSealDigits - 1, kSealDigits);
  text_bytes_ += line.size();
}

// Appends the checksum to a line. It also covers the seal of the line before, so no line can be left out or moved.
std::string Manifest::seal(const std::string& content) const {
  const std::string covered = last_seal_ + content;
  return content + " " + to_string(hash_record(std::as_bytes(std::span(covered)))) + "\n";
}

}  // namespace sortie
