// The manifest of a checkpoint. Any text, as it is or with valid seals, is refused or is consistent. A written
// manifest can be read whole, cut short, and with one bit flipped.
//
//   | 0: text; 1: lines to be sealed; else: a manifest to be written |
//     a manifest: | where to cut (2 bytes) | bit to flip (2 bytes) | an entry a byte: 0 to 199 a run, else a merge |
#include <span>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "base/checksum.hpp"
#include "fuzz/fuzz_target.hpp"
#include "pipeline/checkpoint/manifest.hpp"

namespace sortie {
namespace {

using fuzz::require;

constexpr std::size_t kMostEntries = 64;

/// Gives each line the seal that fits its contents and the line before, as an attacker would.
std::string sealed(fuzz::InputReader lines) {
  std::string text;
  std::string last_seal;
  while (!lines.rest().empty()) {
    const std::string line(lines.take_until('\n'));
    last_seal = to_string(hash_record(fuzz::as_bytes(last_seal + line)));
    text += line + " " + last_seal + "\n";
  }
  return text;
}

void check_text(std::string_view text) {
  try {
    const Manifest manifest = Manifest::parse(text, {"directory"});
    require(manifest.text_bytes() <= text.size(), "no more lines than there are");
    for (const KeptRun& run : manifest.runs()) require(run.number < manifest.next_number(), "free numbers are free");
  } catch (const Error&) {
  }
}

/// A manifest as it was written, and the runs that it listed after each of its lines.
struct Written {
  std::string text;
  std::vector<std::size_t> line_ends;
  std::vector<std::vector<KeptRun>> runs;

  void line_added(const Manifest& manifest, const std::string& line) {
    text += line;
    line_ends.push_back(text.size());
    runs.push_back(manifest.runs());
  }
};

Written write_manifest(std::string_view entries) {
  ManifestHeader header;
  header.job_id = entries.size();
  Manifest manifest(header);
  Written written;
  written.line_added(manifest, manifest.header_line());
  InputMark end;
  for (const char byte : entries) {
    const std::size_t entry = static_cast<std::uint8_t>(byte);
    const KeptRun run{
        .number = manifest.next_number() + entry % 3, .file_bytes = entry, .index_checksum = 7 * entry, .dropped = {}};
    const std::size_t count = manifest.runs().size();
    if (entry < 200) {
      end.offset += 1 + entry;
      end.totals += RecordTotals{.records = 1, .bytes = 1 + entry, .checksum = {entry, entry}};
      written.line_added(manifest, manifest.add_run(run, end));
    } else if (count >= 2) {
      const std::size_t first = entry % (count - 1);
      written.line_added(manifest, manifest.replace_runs(first, 2 + entry % (count - first - 1), run));
    }
  }
  return written;
}

/// Parses `text`. Unless it is refused, it must list the runs that were listed after the first `lines` lines.
void check_read(const Written& written, std::string_view text, std::size_t lines, bool may_be_refused) {
  try {
    const Manifest manifest = Manifest::parse(text, {"directory"});
    require(lines > 0, "a manifest without its first line is refused");
    require(manifest.runs() == written.runs[lines - 1], "a manifest lists what was written");
    require(manifest.text_bytes() == written.line_ends[lines - 1], "lines that do not count are cut off");
  } catch (const Error&) {
    require(may_be_refused || lines == 0, "a manifest that was cut short is good for its whole lines");
  }
}

void check_written(fuzz::InputReader input) {
  const std::size_t cut = input.number();
  const std::size_t bit = input.number();
  Written written = write_manifest(input.take(kMostEntries));
  const std::size_t all = written.line_ends.size();
  check_read(written, written.text, all, false);
  const std::size_t kept = cut % written.text.size();
  const auto whole = std::ranges::count_if(written.line_ends, [&](std::size_t end) { return end <= kept; });
  check_read(written, std::string_view(written.text).substr(0, kept), static_cast<std::size_t>(whole), false);
  const std::size_t flipped = bit / 8 % written.text.size();
  std::string damaged = written.text;
  damaged[flipped] ^= static_cast<char>(1 << bit % 8);
  const bool joins_the_last_two = all > 1 && flipped + 1 == written.line_ends[all - 2];
  check_read(written, damaged, joins_the_last_two ? all - 2 : all - 1, true);
}

}  // namespace
}  // namespace sortie

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sortie::fuzz::InputReader input(data, size);
  const std::uint8_t mode = input.byte();
  if (mode == 0) sortie::check_text(input.rest());
  if (mode == 1) sortie::check_text(sortie::sealed(input));
  if (mode > 1) sortie::check_written(input);
  return 0;
}
