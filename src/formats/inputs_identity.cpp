#include "formats/inputs_identity.hpp"

#include <sortie/error.hpp>

#include "base/hex_digits.hpp"
#include "base/quote.hpp"

namespace sortie::formats {
namespace {

/// Parts of any bytes, with their lengths in front.
void add(std::string_view part, std::string& text) {
  text.append(std::to_string(part.size())).append(" ").append(part).append("\n");
}

void add_share(const InputShare& share, std::string& text) {
  add(std::to_string(share.begin) + "-" + (share.end ? std::to_string(*share.end) : ""), text);
  for (const std::uint64_t count : share.record_counts) add(std::to_string(count), text);
}

// The device number is left out: it may change when the machine restarts.
void add_input(FileSystem& files, const std::string& path, std::string& text) {
  const FileStatus status = files.status(path);
  if (path == "-" || status.kind != FileStatus::Kind::kRegular) {
    throw Error("input " + quote_path(path) + " cannot be read again, as a sort that goes on does: name a file");
  }
  add(path, text);
  for (const std::uint64_t number : {status.bytes, static_cast<std::uint64_t>(status.modified_ns),
                                     static_cast<std::uint64_t>(status.changed_ns), status.inode}) {
    add(std::to_string(number), text);
  }
}

}  // namespace

std::string identity_of_inputs(const FileFormat& format, const JobContext& context) {
  const SortOptions& options = context.options;
  const auto& seed = options.format.text.random_seed;
  if (options.format.shuffle && format.makes_shuffle_keys && !seed) {
    throw Error("a sort that goes on shuffles as it did before: give a seed, as --shuffle=SEED");
  }
  std::string text;
  add(format.name, text);
  add(std::to_string(format.record_version), text);
  for (const FileSetting& setting : context.asked.settings) {
    add(setting.name, text);
    add(setting.value, text);
  }
  if (options.format.shuffle && seed) add(hex_digits(*seed), text);
  add(options.unpack ? "unpacked" : "as it is", text);
  if (context.share) add_share(*context.share, text);
  if (options.inputs.empty()) add_input(context.files, "-", text);
  for (const std::string& path : options.inputs) add_input(context.files, path, text);
  return text;
}

}  // namespace sortie::formats
