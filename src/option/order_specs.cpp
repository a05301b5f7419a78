// Options that say how lines are ordered.
#include <array>
#include <cstring>

#include "base/quote.hpp"
#include "option/catalogue_parts.hpp"
#include "option/request.hpp"
#include "option/request_keys.hpp"
#include "option/set_once.hpp"

namespace sortie::option {
namespace {

constexpr std::array kChromosomeWords =
    std::to_array<Word<ChromosomeOrder>>({{"natural", ChromosomeOrder::kNatural},
                                          {"karyotype", ChromosomeOrder::kKaryotype},
                                          {"bytes", ChromosomeOrder::kBytes},
                                          {"header", ChromosomeOrder::kHeader}});
constexpr std::array kSortWords = std::to_array<Word<char>>({{"general-numeric", 'g'},
                                                             {"human-numeric", 'h'},
                                                             {"month", 'M'},
                                                             {"numeric", 'n'},
                                                             {"random", 'R'},
                                                             {"version", 'V'}});

/// A word, or the name of a file with a dot or slash in it.
void set_chromosomes(Request& request, const Value& value) {
  OrderRequest& order = request.order;
  const std::string word = value.as_text();
  const bool is_file = word.find_first_of("./") != std::string::npos && word.find('\0') == std::string::npos;
  order.chromosome_list = is_file ? word : "";
  order.chromosomes = is_file ? ChromosomeOrder::kList : value.as_choice(kChromosomeWords);
}

template <char kLetter>
void set_letter(Request& request, const Value&) {
  request.order.global.set(kLetter);
}

void set_ordering(Request& request, const Value& value) {
  const std::string letters = value.as_text();
  for (const char letter : letters) {
    if (letter == 'r' || !request.order.global.set(letter)) {
      value.refuse(letters, std::string("known are the letters b, d, f, g, h, i, M, n, R, V") +
                                (letter == 'r' ? "; for r say descending=True" : ""));
    }
  }
}

/// A command line has "\\0" for NUL and "\\t" for a tab, GNU sort one byte.
void set_separator(Request& request, const Value& value) {
  std::string separator = value.as_bytes();
  if (!value.is_word()) {
    if (separator.empty()) value.refuse("", "give one character at least, or None for blanks");
  } else if (separator.empty()) {
    throw Error("empty tab");
  } else if (separator == "\\0") {
    separator.assign(1, '\0');
  } else if (value.door() == Door::kGnuSort && separator.size() > 1) {
    throw Error("multi-character tab " + quote_word(separator));
  } else if (separator == "\\t") {
    separator = "\t";
  }
  if (!request.order.separator.empty() && request.order.separator != separator) throw Error("incompatible tabs");
  request.order.separator = separator;
}

void set_random_seed(Request& request, const Value& value) {
  const std::string bytes = value.as_bytes();
  RandomSeed& seed = request.order.random_seed.emplace();
  if (bytes.size() != seed.size()) value.refuse(bytes, "give 16 bytes");
  std::memcpy(seed.data(), bytes.data(), seed.size());
}

constexpr std::array kOrderSpecs = std::to_array<Spec>({
    {.long_name = "ignore-leading-blanks",
     .short_name = 'b',
     .origin = Origin::kGnu,
     .help = "ignore leading blanks of keys",
     .about = kOrders | kOfLines,
     .set = set_letter<'b'>},
    {.long_name = "dictionary-order",
     .short_name = 'd',
     .origin = Origin::kGnu,
     .help = "consider only blanks, letters and digits",
     .about = kOrders | kOfLines,
     .set = set_letter<'d'>},
    {.long_name = "ignore-case",
     .short_name = 'f',
     .origin = Origin::kGnu,
     .help = "take lower case as upper case",
     .about = kOrders | kOfLines,
     .set = set_letter<'f'>},
    {.long_name = "general-numeric-sort",
     .short_name = 'g',
     .origin = Origin::kGnu,
     .help = "by value, of numbers as programs write them: 1.5e3, 0x1F, inf; what is no number comes first, then NaN",
     .about = kOrders | kOfLines,
     .set = set_letter<'g'>},
    {.long_name = "human-numeric-sort",
     .short_name = 'h',
     .origin = Origin::kGnu,
     .help = "by value, of numbers with units: 2K 1G",
     .about = kOrders | kOfLines,
     .set = set_letter<'h'>},
    {.long_name = "ignore-nonprinting",
     .short_name = 'i',
     .origin = Origin::kGnu,
     .help = "consider only printable characters",
     .about = kOrders | kOfLines,
     .set = set_letter<'i'>},
    {.long_name = "month-sort",
     .short_name = 'M',
     .origin = Origin::kGnu,
     .help = "by month: what is none < JAN < ... < DEC",
     .about = kOrders | kOfLines,
     .set = set_letter<'M'>},
    {.long_name = "numeric-sort",
     .short_name = 'n',
     .origin = Origin::kGnu,
     .help = "by value, of decimal numbers of any length; what is no number counts as 0",
     .about = kOrders | kOfLines,
     .set = set_letter<'n'>},
    {.long_name = "random-sort",
     .short_name = 'R',
     .origin = Origin::kGnu,
     .help = "shuffle, but keep equal keys together",
     .about = kOrders | kOfLines,
     .set = set_letter<'R'>},
    {.long_name = "random-source",
     .origin = Origin::kGnu,
     .argument = "FILE",
     .values = "FILE",
     .help = "shuffle as the first 16 bytes of FILE say: always alike",
     .set =
         [](Request& request, const Value& value) {
           set_once(request.order.random_source, value.as_path(), "multiple random sources specified");
         }},
    {.python = {"random_seed", "bytes", kSortsAndChecks | kOfClusters,
                "16 bytes for keys with R, and for shuffle; None: made up"},
     .set = set_random_seed},
    {.long_name = "version-sort",
     .short_name = 'V',
     .origin = Origin::kGnu,
     .help = "by the numbers within the text: v1.9 < v1.10",
     .about = kOrders | kOfLines,
     .set = set_letter<'V'>},
    {.python = {"ordering", "str", kSortsAndChecks | kOfJoins | kOfClusters,
                "letters of GNU sort for keys that have none of their own, or the whole line: \"n\", \"fd\""},
     .about = kOrders | kOfLines,
     .set = set_ordering},
    {.long_name = "reverse",
     .short_name = 'r',
     .origin = Origin::kGnu,
     .help = "reverse the order; with -s equal keys still keep their input order",
     .python = {"descending", "bool", kSortsAndChecks | kOfJoins | kOfClusters,
                "the order reversed; keys with letters of their own have their own direction"},
     .about = kOrders,
     .set = [](Request& request, const Value& value) { request.order.global.descending = value.as_flag(); }},
    {.long_name = "sort",
     .origin = Origin::kGnu,
     .argument = "WORD",
     .values = kJoinedWords<kSortWords>,
     .help = "one of these orders by its name: general-numeric -g, human-numeric -h, month -M, numeric -n, random -R, "
             "version -V",
     .about = kOrders | kOfLines,
     .set = [](Request& request,
               const Value& value) { request.order.global.set(shortened_choice(value, kSortWords)); }},
    {.long_name = "key",
     .short_name = 'k',
     .origin = Origin::kGnu,
     .argument = "KEYDEF",
     .help = "sort by part of the line; repeat it for further keys; with --csv or --tsv also by a column: "
             "NAME[:TYPE][:desc]; by a time: KEYDEF:time; KEYDEF:n:desc is KEYDEF with the letters nr; "
             "KEYDEF:normal is text in a normal form, KEYDEF:hash a hash of it",
     .python = {"keys", "str | Iterable[str]", kSortsAndChecks | kOfClusters,
                "as GNU sort writes them after -k (\"3,3nr\"), with a time (\"1,3:time\"), or columns of CSV "
                "(\"price:n:desc\"), or values of JSON Lines (\".user.id:n\"); a str or several"},
     .about = kOrders | kOfLines,
     .set = add_keys},
    {.long_name = "field-separator",
     .short_name = 't',
     .origin = Origin::kGnu,
     .argument = "SEP",
     .help =
         "fields are separated by SEP, one character or several, \\0 is NUL, \\t a tab; else each begins where blanks "
         "follow what is none",
     .python = {"separator", "str | bytes", kSortsAndChecks | kOfJoins | kOfClusters,
                "what stands between fields of lines, one character or several; None: blanks"},
     .about = kOfLines,
     .set = set_separator},
    {.long_name = "stable",
     .short_name = 's',
     .origin = Origin::kGnu,
     .help = "keep the input order of lines with equal keys; else their bytes decide",
     .python = {"stable", "bool", kSortsAndChecks | kOfClusters,
                "lines with equal keys keep their order; otherwise their bytes decide"},
     .about = kOrders,
     .set = [](Request& request, const Value& value) { request.order.stable = value.as_flag(); }},
    {.python = {"locale", "bool", kSortsAndChecks, "text follows locale.setlocale() in place of the order of bytes"},
     .about = kOrders | kOfLines,
     .set = [](Request& request, const Value& value) { request.order.locale = value.as_flag(); }},
    {.long_name = "year",
     .argument = "N",
     .help =
         "the year of times that are written without one (default: the one up to the day after the last change of the "
         "files)",
     .python = {"year", "int", kSortsAndChecks | kOfJoins | kOfClusters,
                "of times without one; None: the one up to the day after the last change of the inputs"},
     .about = kOrders | kOfLines | kOfTimes,
     .set =
         [](Request& request, const Value& value) {
           const auto year = static_cast<int>(value.as_number(1, 9999, "give a year from 1 to 9999"));
           request.order.lines.last_day = last_day_of_year(year);
         }},
    {.long_name = "zone",
     .argument = "ZONE",
     .help =
         "the zone of times that name none (default: UTC): a name of the tz database, whose own names (CET, CEST) are "
         "understood then, or an offset; further names as NAME=OFFSET: Europe/Berlin,MSK=+03:00",
     .python =
         {"zone", "str", kSortsAndChecks | kOfJoins | kOfClusters,
          "of times that name none, and names: \"Europe/Berlin\", \"+02:00\", \"Europe/Berlin,MSK=+03:00\"; None: "
          "UTC"},
     .about = kOrders | kOfLines | kOfTimes,
     .set =
         [](Request& request, const Value& value) {
           TextOrder& order = request.order.lines;
           if (!order.zone.empty() || !order.zone_names.empty()) {
             throw Error("--zone is given twice: join both by a comma, as in --zone=CET=+01:00,MSK=+03:00");
           }
           set_zones(order, value.as_text());
         }},
    {.long_name = "chromosomes",
     .argument = "ORDER",
     .values = kJoinedWords<kChromosomeWords>,
     .help =
         "with --vcf, --bed, --gff and --gtf: header (default of VCF with ##contig lines; as these or, of GFF, lines "
         "##sequence-region list them, then all others), natural (default of others; by the numbers in names: chr2 "
         "chr10 "
         "chrX), karyotype (numbers, X, Y, M, then all others), bytes (chr10 chr2), or the name of a file that lists "
         "them, "
         "with a dot or slash in it, as genome.fa.fai",
     .python = {"chromosomes", "str", kSortsAndChecks | kOfClusters,
                "of formats bed, vcf, gff and gtf: \"natural\", \"karyotype\", \"bytes\", \"header\" or a file as "
                "\"genome.fa.fai\"; default: of VCF that lists contigs \"header\", else \"natural\""},
     .about = kOrders | kOfLines,
     .set = set_chromosomes},
});

}  // namespace

std::span<const Spec> order_specs() { return kOrderSpecs; }

}  // namespace sortie::option
