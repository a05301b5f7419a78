// Options that files of a format have, and records of other files have not. Each is a setting that formats name in
// formats/registry.cpp.
#include <array>
#include <string>

#include "option/catalogue_parts.hpp"
#include "option/request.hpp"

namespace sortie::option {
namespace {

/// The last one counts.
void set_setting(Request& request, std::string name, std::string value) {
  std::erase_if(request.file.settings, [&](const FileSetting& setting) { return setting.name == name; });
  request.file.settings.push_back({std::move(name), std::move(value)});
}

constexpr std::array kFileFormatSpecs = std::to_array<Spec>({
    {.long_name = "by",
     .argument = "ORDER",
     .values = "coordinate name ascii-name template tag: key content place",
     .help =
         "order alignments (BAM, SAM, CRAM) by coordinate (default); by name, numbers in names by their values, or "
         "ascii-name, by bytes; by template, the coordinates of both reads; or by tag:XX, equal ones by coordinate, "
         "or with tag:XX,name by name; samples of tar archives by key (default), or by content, a hash, so that -u "
         "drops those of the same content; documents of tokens by place (default), or by content",
     .python = {"by", "str", kOfFiles | kOfClusters,
                "of alignments: \"coordinate\" (default), \"name\", \"ascii-name\", \"template\", or \"tag:\" with the "
                "name of a tag, and \",name\" behind it to order equal ones by name; of samples of a tar archive: "
                "\"key\" (default) or \"content\"; of documents of tokens: \"place\" (default) or \"content\""},
     .set = [](Request& request, const Value& value) { set_setting(request, "by", value.as_text()); }},
    {.long_name = "index",
     .argument = "[=KIND]",
     .values = "bai tbi csi",
     .help = "write an index beside the output in the same pass: of BAM bai (default), of --vcf, --bed, --gff and "
             "--gtf, whose output must be BGZF, tbi (default), or csi for long sequences; of BCF csi",
     .python =
         {"index", "str", kOfFiles | kOfClusters,
          "written beside the output: of BAM \"bai\" or \"csi\", of formats vcf, bed, gff and gtf \"tbi\" or \"csi\""},
     .set = [](Request& request,
               const Value& value) { set_setting(request, "index", value.is_text() ? value.as_text() : ""); }},
    {.long_name = "reference",
     .argument = "FASTA",
     .values = "FILE",
     .help = "read the references of CRAM from FASTA; a CRAM output without it holds all bases itself",
     .python = {"reference", "_Path", kOfFiles | kOfClusters, "of CRAM: path of a FASTA file with the references"},
     .set = [](Request& request, const Value& value) { set_setting(request, "reference", value.as_path()); }},
    {.long_name = "no-pg",
     .help = "add no @PG line to the header of alignments",
     .python = {"no_pg", "bool", kOfFiles | kOfClusters, "True: add no @PG line to the header of alignments"},
     .set =
         [](Request& request, const Value& value) {
           if (value.as_flag()) set_setting(request, "no-pg", "");
         }},
    {.long_name = "combine",
     .argument = "LINES",
     .values = "rg pg both files",
     .help = "combine lines of one ID in the headers of several files of alignments: rg, those of @RG, pg, of @PG, or "
             "both, as samtools merge -c and -p do; else the ID of a later file gets a suffix; files: each file is "
             "one read group, called as it, as with samtools merge -r",
     .python = {"combine", "str", kOfFiles | kOfClusters,
                "of headers of several files of alignments: \"rg\", \"pg\" or \"both\", lines of one ID are combined; "
                "\"files\": each file is one read group"},
     .set = [](Request& request, const Value& value) { set_setting(request, "combine", value.as_text()); }},
    {.long_name = "token-end",
     .argument = "N",
     .help = "the token that ends each document: of --format=tokens, and of .npy arrays in one dimension",
     .python = {"token_end", "int", kOfFiles | kOfClusters,
                "of bare tokens, and of .npy arrays in one dimension: the token that ends a document"},
     .set =
         [](Request& request, const Value& value) {
           set_setting(request, "token-end", std::to_string(value.as_integer("give the number of a token")));
         }},
    {.long_name = "token-type",
     .argument = "TYPE",
     .values = "u16 u32 i32 i64 u8 i8 i16 u64",
     .help = "what the tokens of --format=tokens are: u16, u32, i32, i64, u8, i8, i16 or u64",
     .python = {"token_type", "str", kOfFiles | kOfClusters, "of bare tokens: \"u16\", \"u32\" and their like"},
     .set = [](Request& request, const Value& value) { set_setting(request, "token-type", value.as_text()); }},
});

}  // namespace

std::span<const Spec> file_format_specs() { return kFileFormatSpecs; }

}  // namespace sortie::option
