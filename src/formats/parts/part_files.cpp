#include "formats/parts/part_files.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/hex_digits.hpp"
#include "base/json.hpp"
#include "base/quote.hpp"
#include "base/system_limits.hpp"
#include "io/input/compression_format.hpp"
#include "io/output/checksummed_output.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "io/output/require_folder.hpp"
#include "io/paths/paths.hpp"
#include "pipeline/setup/sort_files.hpp"

namespace sortie::formats {
namespace {

constexpr int kListVersion = 1;
/// Complete files that are kept open without a name, so that a killed process leaves none of them.
constexpr std::uint64_t kMostOpenFiles = 256;
constexpr std::uint64_t kShareOfDescriptors = 8;

std::size_t most_open_files() {
  return static_cast<std::size_t>(std::min(kMostOpenFiles, free_descriptors() / kShareOfDescriptors));
}

void append_element(std::string& list, const Json& element) {
  if (!list.empty()) list += ",";
  list += "\n    " + json_text(element);
}

}  // namespace

PartFiles::PartFiles(const JobContext& context, const Form& form) : context_(context), form_(form) {
  const SortOptions& options = context.options;
  refuse_shared_targets_of_sort(context.files, options);
  const bool is_named = options.output.ends_with(form.suffix);
  if (!form_.second_suffix.empty() && !is_named) {
    throw Error("-o " + quote_path(options.output) + ": let the name end in " + std::string(form.suffix) +
                ", so that the one beside it can end in " + std::string(form.second_suffix));
  }
  if (!form.may_be_packed && recognise_suffix(options.output) != CompressionFormat::kNone) {
    throw Error("-o " + quote_path(options.output) + ": such files are not packed; leave the suffix out");
  }
  if (!options.parts.are_wanted() && form_.second_suffix.empty()) {
    const Packing packing{.by_suffix = !is_named && options.unpack, .level = options.output_level};
    file_ = open_output(context.files, options.output, packing, options.temporary_names, options.scratch_directories);
    return;
  }
  if (options.parts.are_wanted()) names_.emplace(options.output, PartNames::Placeholder::kNumber);
  set_.emplace(context.files, options.temporary_names, most_open_files());
  require_folder(context.files, options.output);
  if (!options.parts.manifest_path.empty() && options.parts.manifest_path != "-") {
    require_folder(context.files, context.files.resolve_links(options.parts.manifest_path));
  }
  for (const std::string& path : options.inputs) {
    const FileStatus status = path == "-" ? FileStatus() : context.files.status(path);
    if (status.kind == FileStatus::Kind::kRegular) inputs_.emplace(status.device, status.inode);
  }
}

PartFiles::~PartFiles() = default;

void PartFiles::refuse_input(const std::string& path) const {
  const FileStatus status = context_.files.status(path);
  if (status.kind != FileStatus::Kind::kRegular || !inputs_.contains({status.device, status.inode})) return;
  throw Error("a file of the output would replace " + quote_path(path) + ", an input: name the output otherwise");
}

std::string PartFiles::second_path(const std::string& path) const {
  return path.substr(0, path.size() - form_.suffix.size()) + std::string(form_.second_suffix);
}

std::unique_ptr<Output> PartFiles::begin_of_set(const std::string& path) {
  refuse_input(path);
  return set_->begin(path);
}

std::unique_ptr<Output> PartFiles::packed(std::unique_ptr<Output> file) const {
  const bool is_packed = form_.may_be_packed && context_.options.unpack;
  const CompressionFormat packing = is_packed ? recognise_suffix(path_) : CompressionFormat::kNone;
  return compress_output(std::move(file), packing, {.level = context_.options.output_level});
}

std::string PartFiles::path_of(std::uint64_t number) const {
  return names_ ? names_->for_number(number) : context_.options.output;
}

Output& PartFiles::begin(std::uint64_t number) {
  if (!set_) return *file_;
  path_ = path_of(number);
  if (number >= kMostParts) {
    throw Error("there would be more than " + std::to_string(kMostParts) + " files: make them larger");
  }
  std::unique_ptr<Output> file = begin_of_set(path_);
  if (!context_.options.parts.manifest_path.empty()) {
    checksum_ = ByteChecksum();
    file = std::make_unique<ChecksummedOutput>(std::move(file), checksum_);
  }
  file_ = packed(std::move(file));
  return *file_;
}

void PartFiles::end(const WrittenPart& summary, FunctionRef<void(Output&)> write_second) {
  if (!set_) return;
  file_->finish();
  file_.reset();
  ByteChecksum beside;
  if (!form_.second_suffix.empty()) beside = write_beside(write_second);
  if (!context_.options.parts.manifest_path.empty()) list(summary, beside);
}

ByteChecksum PartFiles::write_beside(FunctionRef<void(Output&)> write_second) {
  ByteChecksum checksum;
  ChecksummedOutput second(begin_of_set(second_path(path_)), checksum);
  write_second(second);
  second.finish();
  return checksum;
}

void PartFiles::list(const WrittenPart& summary, const ByteChecksum& beside) {
  const std::string name = name_in_directory(path_);
  Json part = {{"file", name},
               {"records", summary.records},
               {"bytes", summary.bytes},
               {"file_bytes", checksum_.bytes()},
               {"file_checksum", to_string(checksum_.value())}};
  if (!form_.second_suffix.empty()) {
    part["index"] = name_in_directory(second_path(path_));
    part["index_bytes"] = beside.bytes();
    part["index_checksum"] = to_string(beside.value());
  }
  append_element(listed_, part);
  if (form_.lists_samples) {
    append_element(samples_, {{"url", name}, {"nsamples", summary.records}, {"filesize", checksum_.bytes()}});
  }
  all_.records += summary.records;
  all_.bytes += summary.bytes;
  all_file_bytes_ += checksum_.bytes();
}

void PartFiles::write_list(Output& target) const {
  const SortOptions& options = context_.options;
  Json json;
  json["version"] = kListVersion;
  json["records"] = all_.records;
  json["bytes"] = all_.bytes;
  json["file_bytes"] = all_file_bytes_;
  if (options.format.shuffle && options.format.text.random_seed) {
    json["shuffle_seed"] = hex_digits(*options.format.text.random_seed);
  }
  if (form_.lists_samples) {
    json["__kind__"] = "wids-shard-index-v1";
    json["wids_version"] = 1;
  }
  std::string text = json_text(json);
  text.pop_back();
  text += ",\n  \"parts\": [" + listed_ + "\n  ]";
  if (form_.lists_samples) text += ",\n  \"shardlist\": [" + samples_ + "\n  ]";
  text += "}\n";
  target.write(std::as_bytes(std::span(text)));
}

void PartFiles::finish() {
  if (!set_) return file_->finish();
  const std::string& list_path = context_.options.parts.manifest_path;
  if (!list_path.empty() && list_path != "-") {
    const std::unique_ptr<Output> list_file = begin_of_set(list_path);
    write_list(*list_file);
    list_file->finish();
  }
  set_->put_in_place();
  if (list_path != "-") return;
  const std::unique_ptr<Output> shown = open_output(context_.files, "-");
  write_list(*shown);
  shown->finish();
}

}  // namespace sortie::formats
