// Options of the output: where it goes, how it is packed, and into which files it is cut.
#include <array>
#include <limits>

#include "option/catalogue_parts.hpp"
#include "option/field_setters.hpp"
#include "option/request.hpp"
#include "option/set_once.hpp"

namespace sortie::option {
namespace {

constexpr std::array kOutputSpecs = std::to_array<Spec>({
    {.long_name = "output",
     .short_name = 'o',
     .origin = Origin::kGnu,
     .argument = "FILE",
     .values = "FILE",
     .help =
         "write to FILE, which may be one of the inputs; it is replaced when all is done; a FILE that ends in .gz, "
         ".zst, .bz2, .xz or .lz4 is compressed, .bgz and .gz behind .vcf, .bed, .gff, .gff3, .gtf or .sam as BGZF, "
         "for tabix",
     .python = {.name = "output", .type = "_Path"},
     .set = [](Request& request,
               const Value& value) { set_once(request.output, value.as_path(), "multiple output files specified"); }},
    {.long_name = "output-level",
     .argument = "N",
     .help = "compress FILE at level N: from 1, fast, to 9, to 19 for .zst, to 12 for .lz4, small (default: 6 for .gz "
             "and .xz, 5 for BGZF and BAM, 3 for .zst, 9 for .bz2, 1 for .lz4)",
     .python = {"output_level", "int", kOfFiles | kOfJoins,
                "how hard an output named .gz, .xz, .bz2 (to 9), .zst (to 19) or .lz4 (to 12) is packed, from 1"},
     .not_on_clusters = "parts whose names end in .gz, .bgz, .zst, .bz2, .xz or .lz4 are packed at the usual level",
     .is_set = is_given<&SortOptions::output_level>,
     .set =
         [](Request& request, const Value& value) {
           request.options.output_level = static_cast<int>(
               value.as_number(1, std::numeric_limits<int>::max(), "give a number from 1 to 9, for .zst up to 19"));
         }},
    {.long_name = "split",
     .argument = "N",
     .help = "write N files of about equal bytes, cut between records; their names are FILE with a number from 0 in "
             "place of {}, {:04d} or the like",
     .python = {"split", "int", kOfFiles | kOfClusters,
                "the output in so many files of about equal bytes; its name has a place for their numbers, as in "
                "\"part-{:04d}.zst\""},
     .is_set = is_given<&SortOptions::parts, &Parts::count>,
     .set =
         [](Request& request, const Value& value) {
           request.options.parts.count =
               value.as_number(1, kMostParts, "give a number from 1 to " + std::to_string(kMostParts));
         }},
    {.long_name = "split-size",
     .argument = "SIZE",
     .help = "write files of at most SIZE: in bytes before they are compressed, or with a suffix as for -S",
     .python = {"split_size", "int | str", kOfFiles | kOfClusters, "the output in files of at most so many bytes"},
     .is_set = is_given<&SortOptions::parts, &Parts::most_bytes>,
     .set = [](Request& request, const Value& value) { request.options.parts.most_bytes = value.as_size("1G", 'b'); }},
    {.long_name = "split-records",
     .argument = "N",
     .help = "write files of N lines or records",
     .python = {"split_records", "int", kOfFiles | kOfClusters, "the output in files of so many records"},
     .is_set = is_given<&SortOptions::parts, &Parts::most_records>,
     .set = [](Request& request,
               const Value& value) { request.options.parts.most_records = value.as_count("one file"); }},
    {.long_name = "split-by",
     .argument = "KEY",
     .help =
         "write a file for each value of KEY: a field, column or value as for -k, by which lines are ordered first; "
         "the value takes the place of {} in FILE; with a limit, as --split-size, several for each value, whose "
         "numbers "
         "have a place of their own: {}-{:04d}",
     .python = {"split_by", "str", kOfFiles | kOfClusters,
                "a file for each value of a key, which orders before all keys, and whose value takes the place of {}"},
     .about = kOfLines,
     .is_set = is_given<&SortOptions::parts, &Parts::by_first_key>,
     .set =
         [](Request& request, const Value& value) {
           request.options.parts.by_first_key = true;
           set_once(request.order.split_by, value.as_text(), "--split-by is given twice: files have one key");
         }},
    {.long_name = "shares",
     .argument = "LIST",
     .help =
         "with --split-by, write a file for each share of all records: NAME=SHARE with commas between, as in "
         "train=0.98,valid=0.01,test=0.01; a hash of the value of KEY alone tells the share, so that no record changes "
         "sides when others are added",
     .python = {"shares", "str", kOfFiles | kOfClusters,
                "with split_by, a file for each share of all records, by a hash of the value: \"train=0.9,test=0.1\""},
     .about = kOfLines,
     .set = [](Request& request,
               const Value& value) { set_once(request.order.shares, value.as_text(), "--shares is given twice"); }},
    {.long_name = "split-weight",
     .argument = "N",
     .help = "write files of lines whose weights, as --weight has them, add up to at most N",
     .python = {"split_weight", "int", kOfFiles, "the output in files whose weights add up to at most so much"},
     .not_on_clusters = "ranges of a cluster are cut by bytes: cut its output again on one machine",
     .is_set = is_given<&SortOptions::parts, &Parts::most_weight>,
     .set = [](Request& request,
               const Value& value) { request.options.parts.most_weight = value.as_count("one file"); }},
    {.long_name = "weight",
     .argument = "COL",
     .help = "the weight of a line, a whole number, as of its tokens: the number of a field, the name or number of a "
             "column of CSV, or the path of a value of JSON; for --split-weight and --manifest",
     .python = {"weight", "str", kOfFiles,
                "the column or value with the weight of a record, for split_weight and manifest"},
     .not_on_clusters = "ranges of a cluster are cut by bytes: cut its output again on one machine",
     .about = kOfLines,
     .is_set = is_given<&SortOptions::parts, &Parts::weight>,
     .set = [](Request& request,
               const Value& value) { set_once(request.order.weight, value.as_text(), "--weight is given twice"); }},
    {.long_name = "together",
     .help = "keep lines or records with equal keys in one of the files; with --split, --split-size or --split-records",
     .python = {"together", "bool", kOfFiles | kOfClusters, "with these, records with equal keys are in one file"},
     .is_set = is_given<&SortOptions::parts, &Parts::together>,
     .set = set_flag<&SortOptions::parts, &Parts::together>},
    {.long_name = "manifest",
     .argument = "LIST",
     .values = "FILE",
     .help =
         "write a list of these files to LIST: JSON, with their records, bytes, checksums, first and last keys, and as "
         "far as there are some, shares, weights and the seed",
     .python = {"manifest", "_Path", kOfFiles | kOfClusters, "path for a list of the files"},
     .is_set = is_given<&SortOptions::parts, &Parts::manifest_path>,
     .set = [](Request& request,
               const Value& value) { request.options.parts.manifest_path = value.as_path_or_none(); }},
});

}  // namespace

std::span<const Spec> output_specs() { return kOutputSpecs; }

}  // namespace sortie::option
