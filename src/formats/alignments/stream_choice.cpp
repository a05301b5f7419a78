#include "formats/alignments/stream_choice.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <sortie/error.hpp>

#include "base/letter_case.hpp"
#include "base/quote.hpp"
#include "formats/alignments/alignment_begin.hpp"
#include "formats/alignments/bam_output.hpp"
#include "formats/alignments/hts_sink.hpp"
#include "formats/file_begin.hpp"
#include "formats/hts_source.hpp"
#include "io/input/compression_format.hpp"

namespace sortie::formats::alignments {
namespace {

enum class Form : std::uint8_t { kBam, kSam, kCram };

std::optional<Form> form_of_word(std::string_view word) {
  if (word == "bam") return Form::kBam;
  if (word == "sam") return Form::kSam;
  if (word == "cram") return Form::kCram;
  return std::nullopt;
}

std::optional<Form> form_of_begin(const FileBegin& begin) {
  if (begins_bam(begin)) return Form::kBam;
  if (begins_sam(begin)) return Form::kSam;
  if (begins_cram(begin)) return Form::kCram;
  return std::nullopt;
}

/// SAM may be packed as BGZF.
std::optional<Form> form_of_name(std::string_view path) {
  const std::string lower = in_lower_case(path);
  if (lower.ends_with(".sam.gz")) return Form::kSam;
  const std::size_t dot = lower.rfind('.');
  return dot == std::string::npos ? std::nullopt : form_of_word(std::string_view(lower).substr(dot + 1));
}

/// The form that its begin shows, or else the one that is asked for: a SAM file needs no header, and a pipe cannot be
/// looked at. Nothing if neither says it.
std::optional<Form> known_form(const JobContext& context, std::span<const std::byte> begin) {
  const std::optional<Form> shown = form_of_begin({begin});
  return shown ? shown : form_of_word(context.asked.format);
}

Form form_of_input(const JobContext& context, const std::string& path) {
  const std::vector<std::byte> begin = read_begin(context.files, path);
  if (const auto known = known_form(context, begin)) return *known;
  if (const auto named = form_of_name(path)) return *named;
  // BAM shows by itself whether it is that.
  if (begin.empty()) return Form::kBam;
  throw Error("input " + quote_path(path) + " is no file of alignments: it begins as none of BAM, SAM and CRAM");
}

Form form_of_output(const JobContext& context) {
  const std::string& output = context.options.output;
  if (const auto named = form_of_name(output)) return *named;
  if (recognise_suffix(output) != CompressionFormat::kNone || !foreign_suffix(output).empty()) {
    throw Error("the output of alignments is BAM, SAM or CRAM: name it .bam, .sam, .sam.gz or .cram, not " +
                quote_path(output));
  }
  if (const auto asked = form_of_word(context.asked.format)) return *asked;
  return context.options.inputs.empty() ? Form::kBam : form_of_input(context, context.options.inputs.front());
}

}  // namespace

void tell_of_guesses(const JobContext& context, const std::vector<std::string>& paths) {
  std::vector<std::string> guessed;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto known = known_form(context, read_begin(context.files, paths[i]));
    if (i > 0 && !known && form_of_name(paths[i])) guessed.push_back(paths[i]);
    if (known.value_or(Form::kSam) == Form::kSam) texts.push_back(paths[i]);
  }
  tell_of_open_ends(context, texts);
  if (guessed.empty()) return;
  context.assume({.kind = "format-by-name",
                  .message = std::to_string(guessed.size()) + " of " + std::to_string(paths.size()) +
                             " inputs are known by their names alone, the first: " + quote_path(guessed.front()) +
                             ", whose first bytes show no form of alignments; give it a header, or say by --format "
                             "which form such inputs have, such as --format=sam",
                  .count = guessed.size(),
                  .of = paths.size(),
                  .first_place = guessed.front()});
}

std::unique_ptr<ContentsSource> open_source(const JobContext& context, const std::string& path,
                                            std::uint64_t buffer_bytes) {
  switch (form_of_input(context, path)) {
    case Form::kBam:
      return make_bgzf_source(context.files.open_input(path), buffer_bytes);
    case Form::kSam:
      return make_hts_source(context, path, HtsContents::kAlignments, "a SAM file");
    case Form::kCram:
      return make_hts_source(context, path, HtsContents::kAlignments, "a CRAM file");
  }
  return nullptr;
}

bool can_be_divided(const JobContext& context, const std::string& path) {
  return form_of_input(context, path) == Form::kBam;
}

std::unique_ptr<BamSink> open_sink(const JobContext& context, const BamHeader& header) {
  const Form form = form_of_output(context);
  std::optional<PlaceIndex::Numbered> index;
  if (const auto word = context.setting("index")) index = parse_index_kind(*word);
  if (form == Form::kBam) return std::make_unique<BamOutput>(context, header, index);
  if (index) throw Error("--index is for a BAM output: leave it out, or name the output .bam");
  return make_hts_sink(context, header, form == Form::kCram);
}

}  // namespace sortie::formats::alignments
