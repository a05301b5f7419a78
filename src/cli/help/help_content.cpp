#include "cli/help/help_content.hpp"

#include <array>

namespace sortie::cli {
namespace {

constexpr std::array kExamples = std::to_array<HelpExample>({
    {"sortie -o sorted.txt words.txt names.txt", "lines of two files into one"},
    {"sortie -t: -k3,3nr -k1,1 /etc/passwd", "by the third field, largest first, then by the first"},
    {"sortie --csv --key=price:n:desc --key=name goods.csv", "by columns; the header stays in front"},
    {"sortie --jsonl --key=.user.id:n --key=.ts:time:desc events.jsonl", "JSON Lines, by two values"},
    {"sortie -m -k1,2:time web*.log", "merge logs by time"},
    {"du -h | sortie -h", "by size"},
    {"sortie --top=10 -k5,5nr listing.txt", "the ten with the largest fifth field"},
    {"sortie -u -S 2G -T /var/tmp -o out.zst in.gz", "without duplicates, in 2 GiB of memory, packed"},
    {"sortie --format=gensort -o sorted.dat big.dat", "records of 100 bytes, by the first 10"},
    {"sortie --format=fixed:24 --field=u32be@4:desc --field=f64@16 -o out in", "records, by two fields"},
    {"sortie --format=f64 -r -o falling.bin numbers.bin", "an array of doubles, largest first"},
    {"sortie -c sorted.txt", "is it in order?"},
});

constexpr std::array kSections = std::to_array<HelpSection>({
    {"Keys",
     "KEYDEF is F[.C][OPTS][,F[.C][OPTS]]: where a key begins and, if not at the end of the line, where it ends. F is "
     "the number of a field, C that of a character in it, both from 1; without C a key begins or ends with its field. "
     "OPTS are letters of the options bdfgiMhnRrV, for this key in place of those for all. Without -t the blanks in "
     "front of a field belong to it, and are counted unless b is given. Lines that are equal in all keys are ordered "
     "by "
     "their bytes, but with -s or -u keep their order. The older +F[.C][OPTS] [-F[.C][OPTS]], from 0, is understood "
     "too."},
    {"Texts",
     "KEYDEF:normal[(LIST)][:TYPE][:desc] reads text in a normal form, while the line stays as it is. LIST is made of "
     "nfkc "
     "(Unicode's NFKC), case (folded, as Unicode has it), punct (without punctuation) and space (runs of white space "
     "as "
     "one blank, none at the ends); without it all four count. Text is UTF-8. KEYDEF:hash has 16 bytes of a hash in "
     "place "
     "of the text, for long ones: it orders by that, at random unless --random-source tells the seed. Of ten thousand "
     "million different texts two get the same hash with a probability of one in 10^18."},
    {"Times",
     "KEYDEF:time[(FORMAT)][:desc] orders by the moment that the text begins with: -k4,5:time reads fields 4 to 5 as "
     "one text, and what follows the time does not count. Without FORMAT it is as ISO 8601 has it "
     "(2000-10-10T13:55:36.25+02:00, also with blanks, a comma or the separator of fields for T, with slashes, or the "
     "date alone), as web servers do ([10/Oct/2000:13:55:36 -0700]), as mail does (Tue, 10 Oct 2000 13:55:36 +0200), "
     "as "
     "syslog, routers and date(1) do (Oct 10 13:55:36, Oct 10 2000 13:55:36.123, Tue Oct 10 13:55:36 EDT 2000), in the "
     "year of --year if none is written, and in many other forms, which the manual lists. 10/11/2000 is none of them: "
     "which of its numbers is the month is said by FORMAT. A zone is an offset (+hh, +hhmm, +hh:mm, UTC+h), Z, UTC, "
     "GMT, UT, EST, EDT, CST, CDT, MST, MDT, PST or PDT, a name that the zone of --zone has, or one that --zone gives. "
     "A date with a time of day or a zone that cannot be read is no time. What is no time comes first. Digits of a "
     "fraction beyond the eighteenth do not count. "
     "FORMAT is s, ms, us or ns, for a number since 1970, or is written in the letters of strftime(): "
     "-k1:time'(%d.%m.%Y %H:%M)'. These are %Y %y %m %b %B %h %d %e %H %k %I %l %p %M %S %f %z %Z %a %A %F %D %T %R %n "
     "%t %%, where %f is a fraction; one may follow %S in any case."},
    {"CSV",
     "With --csv and --tsv, F counts fields, C the bytes of a field without its quotes, and what reaches beyond a "
     "field sees the record without quotes. A key may be a column of the header: NAME[:TYPE][:desc], where TYPE is "
     "made of the letters of OPTS, or is time[(FORMAT)]. A NAME that holds a colon or begins with a digit stands in "
     "double quotes; a number is a name if the header has it and no field of that number. The first record is a header "
     "unless --no-header says otherwise. A quote in a field that does not begin with one is a character like others; "
     "text behind a closing quote is an error, and so is a quote that is not closed. A byte order mark stays in front. "
     "Without keys, records are compared without their quotes."},
    {"Joins",
     "--join=KIND writes fields of lines as join -o auto does: those of the keys once, then the others of the left "
     "file, "
     "then those of the right one; of CSV the left columns, then the right ones without the keys. Rows come in the "
     "order "
     "of the keys, whose bytes or values count, never a locale. Files that are not in order are sorted first, and need "
     "not fit into memory; with -m they are taken to be in order."},
    {"JSON Lines",
     "With --jsonl a key is PATH[:TYPE][:desc]. PATH leads to a value: .NAME into an object, [INDEX], from 0, into an "
     "array, and . is the whole line; a NAME with one of .[:\" stands in double quotes. Without TYPE false comes "
     "before "
     "true, numbers, by value, strings, by the bytes of their text, arrays and objects, by how they are written. TYPE "
     "is "
     "made of the letters of OPTS, or is time[(FORMAT)], and reads the text of the value. What is missing or null "
     "comes "
     "last, also with desc. A line with more than 1024 levels of objects and arrays is refused, as is what is no JSON. "
     "A "
     "byte order mark stays in front."},
    {"Sizes",
     "SIZE is a number with a unit: b (bytes), K (1024, if none is given), M, G, T, P or E; for -S also % of the "
     "memory of the machine, or of the container."},
    {"Locale",
     "Text is compared as the locale of the environment has it, and so are the decimal point, months and classes of "
     "characters. LC_ALL=C has bytes compared, which is faster."},
    {"As sort",
     "Called by the name sort, it does as GNU sort where it would go its own way: files are taken as they are, packed "
     "or not, no progress is shown, and shortened names of options are those of GNU sort first."},
    {"Exit status",
     "0 if sorted or in order, 1 if a check found disorder or an option does not take a word, 2 on any other trouble; "
     "the output is then as it was before."},
    {"Environment",
     "LC_ALL, LC_COLLATE, LC_CTYPE, LC_NUMERIC, LC_TIME, LANG: the locale. TMPDIR: where to keep what does not fit "
     "into "
     "memory, without -T. POSIXLY_CORRECT: the first operand ends the options. _POSIX2_VERSION: from 200112 to 200808, "
     "+F alone is a file."},
    {"Files",
     "What does not fit into memory lies in files without names in DIR of -T, $TMPDIR or /tmp; with --checkpoint in "
     "files "
     "of DIR. libsortie_gpu.so, beside the command or in the folder sortie of the library folder, is the GPU engine. "
     "In "
     "libexec/sortie the command is installed by the name sort."},
});

}  // namespace

std::string_view help_introduction() {
  return "Sort all FILEs together into one output, also where they are larger than memory. Without FILE, or where FILE "
         "is -, read standard input. Inputs packed with gzip, BGZF, zstd, bzip2, xz or lz4 are unpacked. The options "
         "of GNU sort have "
         "their meaning there.";
}

std::span<const HelpExample> help_examples() { return kExamples; }

std::span<const HelpSection> help_sections() { return kSections; }

}  // namespace sortie::cli
