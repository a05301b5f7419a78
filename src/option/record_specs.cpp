// Options that say what the records are.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/whole_number.hpp"
#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/locale_use.hpp"
#include "option/request.hpp"
#include "record/text/missing_words.hpp"

namespace sortie::option {
namespace {

constexpr std::array kQuoteWords = std::to_array<Word<Quoting>>(
    {{"csv", Quoting::kCsv}, {"none", Quoting::kNone}, {"backslash", Quoting::kBackslash}});

void set_genome(Request& request, GenomeFile file) {
  const auto& asked = request.order.genome;
  if (asked && *asked != file) {
    refuse_together(request.door, word_of(std::min(*asked, file)), word_of(std::max(*asked, file)));
  }
  request.order.genome = file;
}

constexpr std::string_view kFormatWords =
    "lines fixed: prefixed gensort u32 i32 u64 i64 f32 f64 bam sam cram bcf tar megatron npy tokens";
constexpr std::string_view kHelpOfFormats =
    "what the records are: lines (default); fixed:BYTES, records of that length; prefixed, records with their "
    "lengths in front, ordered by their keys; gensort, records of 100 bytes ordered by the first 10; u32, i32, "
    "u64, i64, f32 or f64, bare little-endian numbers; bam, sam or cram, files of alignments, bcf, of variants, "
    "tar, archives of samples, and npy and megatron, documents of tokens, which are known by their content, too; "
    "tokens, documents that a token ends";
constexpr std::string_view kPythonFormats =
    "\"lines\" (default), \"csv\", \"tsv\", \"jsonl\", \"bed\", \"vcf\", \"gff\", \"gtf\", "
    "\"fixed:BYTES\", \"prefixed\", \"gensort\", \"u32\", \"i32\", \"u64\", \"i64\", \"f32\", \"f64\", "
    "\"bam\", \"sam\", \"cram\", \"bcf\", \"tar\", \"megatron\", \"npy\", \"tokens\"";

/// Whether `fits` holds for each of kFileFormats.
template <class Fits>
constexpr bool all_file_formats(const Fits& fits) {
  for (std::string_view words = kFileFormats; !words.empty();) {
    const std::string_view first = words.substr(0, words.find(' '));
    if (!fits(first)) return false;
    words.remove_prefix(std::min(words.size(), first.size() + 1));
  }
  return true;
}

// What is told of formats in words tells of all of them.
static_assert(kFormatWords.ends_with(kFileFormats));
static_assert(all_file_formats([](std::string_view word) {
  return kHelpOfFormats.find(word) != std::string_view::npos && kPythonFormats.find(word) != std::string_view::npos;
}));

bool is_file_format(std::string_view word) {
  return !all_file_formats([&](std::string_view known) { return known != word; });
}

/// Python has the forms of lines among the formats.
void set_format(Request& request, const Value& value) {
  OrderRequest& order = request.order;
  order.format = value.as_text();
  request.file.format.clear();
  if (is_file_format(order.format)) {
    // Its records are made such ones.
    request.file.format = std::exchange(order.format, "prefixed");
    return;
  }
  if (value.is_word()) return;
  order.csv = order.format == "csv";
  order.tsv = order.format == "tsv";
  order.jsonl = order.format == "jsonl";
  const auto genome = std::ranges::find(kGenomeWords, order.format);
  if (genome != kGenomeWords.end()) order.genome = static_cast<GenomeFile>(genome - kGenomeWords.begin());
  if (!order.has_columns() && !order.jsonl && !order.genome) return;
  request.note(order.format);
  order.format = "lines";
}

void set_header(Request& request, std::uint64_t lines, std::vector<std::string> prefixes) {
  request.header_lines = request.options.header_lines = lines;
  request.options.header_prefixes = std::move(prefixes);
}

/// "N" or "AUTO"; a command line has --no-header for none.
void set_header(Request& request, const Value& value) {
  if (!value.is_text()) return set_header(request, value.is_word() ? 1 : value.as_gnu_count(), {});
  const std::string word = value.as_text();
  if (word == "auto" || (word == "AUTO" && value.is_word())) return set_header(request, 0, {"#"});
  if (!value.is_word()) value.refuse(word, "give a number, or auto for the lines that begin with #");
  const std::optional<std::uint64_t> count = whole_number<std::uint64_t>(word);
  if (!count) value.refuse(word, "give a number of lines, or AUTO for those that begin with #");
  if (*count == 0) throw Error("--header=0 keeps no line in front: leave it out");
  set_header(request, *count, {});
}

void add_missing_words(Request& request, const Value& value) {
  std::vector<std::string>& words = request.order.lines.missing_words;
  if (value.is_word()) {
    for (std::string& word : parse_missing_words(value.is_text() ? value.as_text() : "")) {
      words.push_back(std::move(word));
    }
    return;
  }
  if (value.is_flag() && !value.as_flag()) return;
  words = parse_missing_words("");
  if (value.is_flag()) return;
  for (std::string& word : value.as_texts()) {
    if (word.empty()) value.refuse(word, "what is empty is missing anyway");
    words.push_back(std::move(word));
  }
}

void set_entry_start(Request& request, const Value& value) {
  if (request.order.lines.record_start) throw Error("--entry-start is given twice: join the expressions by |");
  const std::string word = value.as_text();
  // The C library would take the expression to end there.
  if (word.find('\0') != std::string::npos) value.refuse(word, "no regular expression holds a NUL character");
  using Characters = RecordStart::Characters;
  const bool are_bytes = value.is_word() && !has_utf8();
  request.order.lines.record_start =
      value.parsed(word, [&] { return RecordStart(word, are_bytes ? Characters::kBytes : Characters::kUtf8); });
}

constexpr std::array kRecordSpecs = std::to_array<Spec>({
    {.long_name = "csv",
     .help = "lines are records of CSV: fields between commas, or what -t says; in double quotes they may hold commas, "
             "quotes, each doubled, and newlines; keys are of what the quotes hold; records with equal keys keep their "
             "order; the first record is a header and stays in front",
     .python = {.spelling = "format=\"csv\""},
     .about = kOfLines,
     .set = [](Request& request, const Value&) { request.order.csv = true; }},
    {.long_name = "tsv",
     .help = "like --csv with tabs in place of commas, and without quotes",
     .python = {.spelling = "format=\"tsv\""},
     .about = kOfLines,
     .set = [](Request& request, const Value&) { request.order.tsv = true; }},
    {.long_name = "jsonl",
     .help =
         "lines are JSON; keys are values in them: -k PATH[:TYPE][:desc], PATH as in .user.id, .a[0] or .\"a b\"; what "
         "is missing or null comes last",
     .python = {.spelling = "format=\"jsonl\""},
     .about = kOfLines,
     .set = [](Request& request, const Value&) { request.order.jsonl = true; }},
    {.long_name = "bed",
     .help =
         "lines are records of BED: by chromosome, start and end, then by keys, if any; equal ones keep their order; "
         "lines that begin with #, browser or track come in front",
     .python = {.spelling = "format=\"bed\""},
     .about = kOrders | kOfLines,
     .set = [](Request& request, const Value&) { set_genome(request, GenomeFile::kBed); }},
    {.long_name = "vcf",
     .help =
         "lines are records of VCF: by chromosome and position, then by keys, if any, then by REF and ALT; equal ones "
         "keep their order; lines at the start that begin with # stay in front",
     .python = {.spelling = "format=\"vcf\""},
     .about = kOrders | kOfLines,
     .set = [](Request& request, const Value&) { set_genome(request, GenomeFile::kVcf); }},
    {.long_name = "gff",
     .help =
         "lines are records of GFF: by chromosome, start and end, of which the greater comes first, then by keys, if "
         "any; equal ones keep their order; lines that begin with # come in front, of all files each once",
     .python = {.spelling = "format=\"gff\""},
     .about = kOrders | kOfLines,
     .set = [](Request& request, const Value&) { set_genome(request, GenomeFile::kGff); }},
    {.long_name = "gtf",
     .help = "the same for records of GTF",
     .python = {.spelling = "format=\"gtf\""},
     .about = kOrders | kOfLines,
     .set = [](Request& request, const Value&) { set_genome(request, GenomeFile::kGtf); }},
    {.long_name = "header",
     .argument = "[=N]",
     .values = "AUTO",
     .help =
         "keep the first N lines (default: 1) of the input in front, or with AUTO those that begin with #, of CSV with "
         "the names behind them; further inputs must begin with the same ones, of CSV with the same names",
     .python =
         {"header_lines", "int | Literal[\"auto\"]", kSortsAndChecks | kOfJoins | kOfClusters,
          "lines at the start of every input that stay in front; default: 1 of csv and tsv, else 0; \"auto\": those "
          "that begin with #"},
     .is_set = [](const SortOptions& options) { return options.header_lines > 0 || !options.header_prefixes.empty(); },
     .set = set_header},
    {.long_name = "no-header",
     .help = "records of --csv and --tsv have no header in front of them",
     .python = {.spelling = "header_lines=0"},
     .set = [](Request& request, const Value&) { request.header_lines = 0; }},
    {.long_name = "quote",
     .argument = "HOW",
     .values = kJoinedWords<kQuoteWords>,
     .help = "what quotes mean in --csv and --tsv: csv (default of --csv; as RFC 4180 has it), none (default of --tsv; "
             "bytes like others), or backslash (a quote within a quoted field stands behind a backslash)",
     .python =
         {"quote", kOneOfTheValues, kSortsAndChecks | kOfJoins | kOfClusters,
          "of formats csv and tsv: what quotes mean: \"csv\" (default of csv; as RFC 4180 has it), \"none\" (default "
          "of tsv; nothing) or \"backslash\""},
     .set = [](Request& request, const Value& value) { request.order.quoting = value.as_choice(kQuoteWords); }},
    {.long_name = "na",
     .argument = "[=WORDS]",
     .help =
         "where numbers are read, take words for a missing value: -, NA, N/A, NULL, None, NaN and WORDS, separated by "
         "commas; it is not added, and comes last in numeric keys, as an empty field does then; with -n, -g, -h, "
         "--sum, --mean, --min or --max",
     .python =
         {"na", "bool | str | Iterable[str]", kSortsAndChecks | kOfJoins | kOfClusters,
          "True: where numbers are read, \"-\", \"NA\", \"NULL\" and the like are missing, and last; or more such "
          "words"},
     .about = kOrders | kOfLines,
     .set = add_missing_words},
    {.long_name = "entry-start",
     .argument = "REGEX",
     .help =
         "lines that REGEX matches begin entries; all lines up to the next such line belong to one; keys are of its "
         "first line; entries with equal keys keep their order; characters are those of the locale if that has UTF-8, "
         "else bytes",
     .python = {"entry_start", "str", kSortsAndChecks | kOfClusters,
                "a regular expression: a line that it matches begins an entry of several lines"},
     .about = kOfLines,
     .set = set_entry_start},
    {.long_name = "format",
     .argument = "FORMAT",
     .values = kFormatWords,
     .help = kHelpOfFormats,
     .python = {"format", "str", kSortsAndChecks | kOfJoins | kOfClusters, kPythonFormats},
     .set = set_format},
    {.long_name = "field",
     .argument = "FIELD",
     .help = "order fixed records by a field: TYPE@OFFSET[:LENGTH][:desc]; repeat it for further fields; TYPE is bytes "
             "(with LENGTH), u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 or f64, the numbers with le (default) or be; "
             "without any "
             "field the whole record counts",
     .python = {"fields", "str | Iterable[str]", kSortsAndChecks | kOfClusters,
                "parts of records of fixed length: \"u32be@4:desc\", \"bytes@0:10\"; a str or several"},
     .set =
         [](Request& request, const Value& value) {
           for (const std::string& word : value.as_texts()) {
             request.order.fields.push_back(value.parsed(word, [&] { return parse_field(word); }));
           }
         }},
    {.long_name = "zero-terminated",
     .short_name = 'z',
     .origin = Origin::kGnu,
     .help = "lines end in NUL, not in newline",
     .python = {"delimiter", "str | bytes", kSortsAndChecks | kOfJoins | kOfClusters,
                "byte that ends a line, default a newline; \"\\0\" for lines that end in NUL"},
     .set =
         [](Request& request, const Value& value) {
           const std::string bytes = value.is_word() ? std::string(1, '\0') : value.as_bytes();
           if (bytes.size() != 1) value.refuse(bytes, "give one character of one byte");
           request.order.delimiter = bytes.front();
         }},
    {.python = {"unpack", "bool", kOfFiles | kOfChecks | kOfJoins | kOfClusters,
                "False: read packed files, and write to names such as \"x.gz\", as they are"},
     .is_set = is_given<&SortOptions::unpack>,
     .set = set_flag<&SortOptions::unpack>},
});

}  // namespace

std::span<const Spec> record_specs() { return kRecordSpecs; }

}  // namespace sortie::option
