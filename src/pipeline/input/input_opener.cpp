#include "pipeline/input/input_opener.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "io/input/open_input.hpp"
#include "observe/assumption_words.hpp"
#include "pipeline/input/refused_text.hpp"
#include "record/csv/column_names.hpp"
#include "record/text/guess_subjects.hpp"

namespace sortie {
namespace {

/// Limit on the memory for unpacking one input, beside the memory for data: a quarter of the latter, but always enough
/// for files packed with usual options.
std::uint64_t most_window_bytes(std::uint64_t memory_bytes) {
  if (memory_bytes == 0) return kMaxWindowBytes;
  return std::clamp(memory_bytes / 4, kUsualWindowBytes, kMaxWindowBytes);
}

Unpacking unpacking_of(const SortOptions& options) {
  if (!options.unpack || options.source) return Unpacking::kNever;
  return options.format.kind == RecordKind::kLines ? Unpacking::kByMagic : Unpacking::kIfSure;
}

std::optional<JsonReading> json_reading(const SortOptions& options) {
  if (!options.format.text.json) return std::nullopt;
  const auto is_of_array = [](const TextKey& key) {
    return key.column.starts_with('[') || key.column.starts_with(".[");
  };
  const std::vector<TextKey>& keys = options.format.text.keys;
  return JsonReading{.may_be_array = !options.source,
                     .keys_index = !keys.empty() && std::ranges::all_of(keys, is_of_array)};
}

/// What look_at() saw of a file that is read later.
struct Seen {
  FileVersion version;
  std::uint64_t bytes = 0;
};

// Throws Error if the file was replaced or changed. Growing is allowed: such a file is read up to its former end. A
// file that was empty, as those of /proc seem, is read to its present end.
void check_same(const File& file, const FileVersion& before, bool is_plain) {
  if (before.bytes == 0) return;
  const FileVersion now = file.version();
  const bool is_another = now.device != before.device || now.inode != before.inode;
  const bool is_changed = is_plain && now.bytes == before.bytes && now.modified_ns != before.modified_ns;
  if (!is_another && !is_changed) return;
  throw Error("input " + quote_path(file.path()) + " was " + (is_another ? "replaced" : "changed") +
              " before it was read; leave inputs alone during a sort");
}

}  // namespace

InputOpener::InputOpener(FileSystem& files, const SortOptions& options, const std::optional<GivenHeader>& header)
    : way_(std::make_shared<Way>(files, options)), knows_header_(header), is_only_(options.inputs.size() <= 1) {
  if (!header) return;
  way_->header.take_of_all(header->bytes);
  if (header->is_in_inputs) return;
  way_->header_rule = {};
  way_->unpacking = Unpacking::kNever;
}

InputOpener::Way::Way(FileSystem& file_system, const SortOptions& options)
    : files(file_system),
      unpacking(unpacking_of(options)),
      window_bytes(most_window_bytes(options.memory_bytes)),
      layout(layout_of(options.format)),
      header_rule(sortie::header_rule(options)),
      json(json_reading(options)),
      names_lines(options.grouping || counts_guesses(options)),
      header(options, layout, header_rule) {
  warn = [this, warn_of_guess = guess_warner(options)](const std::string& message) {
    const std::scoped_lock lock(warning_mutex);
    warn_of_guess(message, "the sort would have to assume that an input is whole: " + message + "; pack it anew");
  };
}

std::unique_ptr<DeferredInput> InputOpener::open(const std::string& path) {
  if (looked_at_.empty()) return look_at(path);
  std::unique_ptr<DeferredInput> input = std::move(looked_at_.front());
  looked_at_.pop_front();
  return input;
}

// A name of standard input that comes again has nothing of its own to begin with.
std::span<const std::byte> InputOpener::find_header(std::span<const std::string> paths) {
  if (!expects_headers() || knows_header_) return header();
  static const std::vector<std::string> standard_input = {"-"};
  if (paths.empty()) paths = standard_input;
  const HeaderRule& rule = way_->header_rule;
  SharedHeader& header = way_->header;
  for (const std::string& path : paths) {
    const bool comes_again = path == "-" && has_standard_input_;
    looked_at_.push_back(look_at(path));
    if (!comes_again) looked_at_.back()->begin();
    if (header.is_known() && !header.needs_all()) break;
    if (!rule.expects_records() && (!rule.wants_line_end || !header.line_end().empty())) break;
  }
  header.settle();
  return header.bytes();
}

// The first input stays open because it is read next, unless the others need its descriptor. When standard input that
// is named again gets its turn, either nothing or all of it is left.
std::unique_ptr<DeferredInput> InputOpener::look_at(const std::string& path) {
  const bool is_first = !std::exchange(has_looked_, true);
  const bool comes_again = path == "-" && std::exchange(has_standard_input_, true);
  if (way_->files.may_wait(path) || comes_again) {
    return std::make_unique<DeferredInput>(
        path, [way = way_](const std::string& name) { return way->open(way->files.open_input(name), std::nullopt); });
  }
  std::unique_ptr<File> file = way_->files.open_input(path);
  const Seen seen{file->version(), file->seekable() ? file->size() : 0};
  std::unique_ptr<Input> open_now = way_->open(std::move(file), seen.bytes);
  const bool is_plain = open_now->size().has_value();
  auto input = std::make_unique<DeferredInput>(
      path,
      [way = way_, seen, is_plain](const std::string& name) {
        std::unique_ptr<File> again = way->files.open_input(name);
        check_same(*again, seen.version, is_plain);
        return way->open(std::move(again), seen.bytes);
      },
      std::move(open_now));
  const bool stays_open = path == "-" || (is_first && (is_only_ || !descriptors_are_scarce()));
  if (!stays_open) input->close();
  return input;
}

std::unique_ptr<Input> InputOpener::Way::open(std::unique_ptr<File> file, std::optional<std::uint64_t> known_bytes) {
  std::unique_ptr<Input> input = open_input(std::move(file), unpacking, window_bytes, known_bytes, warn);
  if (header_rule.is_no_wide_text) {
    std::array<std::byte, 2> begin{};
    refuse_wide_text(input->path(), std::span(begin).first(input->peek(0, begin)));
  }
  if (json) input = as_json_lines(std::move(input), *json);
  // Lines without a header are mapped if there is no mark in front of them.
  const bool expects_records = layout.quoted() || header_rule.expects_records() || header_rule.wants_line_end;
  const bool is_checked = header_rule.is_no_wide_text && !input->size();
  const bool has_header = expects_records || is_checked || (header_rule.may_be_marked && can_begin_with_mark(*input));
  return has_header ? take_header_off(std::move(input)) : std::move(input);
}

bool InputOpener::Way::expects_headers() const {
  return header_rule.expects_records() || header_rule.may_be_marked || header_rule.wants_line_end;
}

std::unique_ptr<Input> InputOpener::Way::take_header_off(std::unique_ptr<Input> input) {
  auto headed = std::make_unique<HeadedInput>(std::move(input), layout, header_rule);
  const bool has_none = !header_rule.prefixes.empty() && !headed->is_empty();
  if (has_none) note(headed->header().empty() ? without_header : with_header, *headed);
  if ((!headed->header().empty() || has_none) && !header.take(headed->path(), headed->header(), headed->is_empty())) {
    note(other_comments, *headed);
  }
  if (header.may_be_in_comment(headed->header())) note(guessed_headers, *headed);
  if (headed->line_end()) header.take_line_end(*headed->line_end());
  return headed;
}

void InputOpener::Way::note(NotedInputs& inputs, const HeadedInput& input) {
  const std::scoped_lock lock(header_mutex);
  if (inputs.paths.empty()) inputs.first = input.path();
  inputs.paths.insert(input.path());
}

// Nobody expects that files of BED, whose header has other lines, too, have one.
void InputOpener::report_headers(Assumptions& assumptions) const {
  const std::scoped_lock lock(way_->header_mutex);
  const std::size_t all = way_->without_header.paths.size() + way_->with_header.paths.size();
  const auto report = [&](GuessKind kind, const NotedInputs& inputs) {
    if (inputs.paths.empty()) return;
    assumptions.put({.kind = kind, .count = inputs.paths.size(), .position = {.path = inputs.first}}, all);
  };
  report(GuessKind::kLeftComments, way_->other_comments);
  report(GuessKind::kGuessedHeader, way_->guessed_headers);
  const bool is_usual = way_->with_header.paths.empty() && way_->header_rule.prefixes.size() != 1;
  if (!is_usual) report(GuessKind::kLacksHeader, way_->without_header);
}

}  // namespace sortie
