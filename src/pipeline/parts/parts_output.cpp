#include "pipeline/parts/parts_output.hpp"

#include <algorithm>
#include <cerrno>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/release_memory.hpp"
#include "base/size.hpp"
#include "base/system_limits.hpp"
#include "io/files/folded_names.hpp"
#include "io/files/io_error.hpp"
#include "io/output/compressed_output.hpp"
#include "io/output/open_output.hpp"
#include "io/output/require_folder.hpp"
#include "io/paths/paths.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie {
namespace {

/// Complete parts that are kept open, so that a killed process leaves none of them. Others need files open, too.
constexpr std::uint64_t kMostOpenParts = 256;
constexpr std::uint64_t kDescriptorShare = 4;

std::size_t most_open_parts() {
  return static_cast<std::size_t>(std::min(kMostOpenParts, free_descriptors() / kDescriptorShare));
}

}  // namespace

PartsOutput::PartsOutput(FileSystem& files, PartsContext context, ScratchSpace& scratch, TemporaryNames* names)
    : files_(files),
      context_(std::move(context)),
      names_(context_.pattern, context_.parts),
      layout_(layout_of(context_.shown.format)),
      set_(files, names, most_open_parts()),
      is_packed_(context_.packing.by_suffix && recognise_suffix(context_.pattern) != CompressionFormat::kNone),
      waiting_(scratch, layout_, context_.are_framed) {
  const Parts& parts = context_.parts;
  require_folder(files_, context_.pattern);
  if (!parts.manifest_path.empty() && parts.manifest_path != "-") {
    require_folder(files_, files_.resolve_links(parts.manifest_path));
  }
  for (const std::string& path : context_.protected_files) {
    const FileStatus status = path == "-" ? FileStatus() : files_.status(path);
    if (status.kind == FileStatus::Kind::kRegular) protected_files_.emplace(status.device, status.inode);
  }
  if (parts.together || parts.by_first_key) {
    group_keys_ = std::make_unique<PartKeys>(context_.shown, parts.by_first_key);
  }
  if (parts.weight) weights_.emplace(context_.shown.format, *parts.weight);
  if (parts.manifest_path.empty()) return;
  list_.emplace(scratch, context_.has_checksums, context_.list_head, weights_.has_value());
  if (!context_.shown.format.shuffle) {
    list_keys_ = std::make_unique<PartKeys>(context_.shown, false);
  }
}

void PartsOutput::expect(std::uint64_t bytes) {
  if (is_packed_ || files_.free_space(names_.directory()).bytes >= bytes) return;
  throw_io_error("write", quote_path(context_.pattern), ENOSPC, FileRole::kOutput);
}

template <class Call>
auto PartsOutput::naming_values(Call call) const {
  try {
    return call();
  } catch (const SameFileError& error) {
    refuse_same_file(error);
  }
}

void PartsOutput::write(std::span<const std::byte> bytes) {
  if (!has_begun_) begin_output();
  bytes = behind_header(bytes);
  if (bytes.empty()) return;
  const PartRecords records = context_.are_framed ? frames_.unframe(bytes) : PartRecords(layout_, bytes);
  if (all_waits_) {
    waiting_.append(records);
  } else {
    distribute(records);
  }
}

// The header comes first. In a frame it is the first record.
std::span<const std::byte> PartsOutput::behind_header(std::span<const std::byte> bytes) {
  if (header_left_ > 0 && context_.are_framed) {
    header_left_ = 0;
    return bytes.subspan(first_prefixed_record(bytes).size());
  }
  const std::size_t of_header = std::min(header_left_, bytes.size());
  header_left_ -= of_header;
  return bytes.subspan(of_header);
}

void PartsOutput::begin_output() {
  has_begun_ = true;
  const std::span<const std::byte> header = context_.header();
  header_.assign(header.begin(), header.end());
  header_left_ = header_.size();
  const std::optional<std::uint64_t> record_bytes = context_.record_bytes();
  all_waits_ = context_.parts.count != 0 && !record_bytes;
  if (!all_waits_) cut_up(record_bytes.value_or(0));
}

// `record_bytes`: of all records, where that matters.
void PartsOutput::cut_up(std::uint64_t record_bytes) {
  const Parts& parts = context_.parts;
  if (parts.by_first_key) {
    cuts_ = parts.are_limited() ? cut_within_keys(*group_keys_, [this] { return cuts_by_limit(); })
                                : cut_by_key(*group_keys_);
    return;
  }
  if (parts.most_weight != 0) {
    cuts_ = cuts_by_limit();
    return;
  }
  if (parts.most_bytes != 0) {
    cuts_ = parts.together ? limit_bytes_of_groups(*group_keys_, parts.most_bytes, header_.size())
                           : limit_bytes(parts.most_bytes, header_.size());
    return;
  }
  if (parts.count != 0) share_bytes_ = divide_up(record_bytes, parts.count);
  std::unique_ptr<PartLimits> limits =
      parts.count != 0 ? limit_equal_bytes(parts.count, record_bytes) : limit_records(parts.most_records);
  if (parts.together) {
    cuts_ = keep_groups_together(std::move(limits), *group_keys_);
  } else {
    cuts_ = std::move(limits);
  }
}

// Ends parts by the limits that they have, whatever their keys are.
std::unique_ptr<PartCuts> PartsOutput::cuts_by_limit() {
  const Parts& parts = context_.parts;
  if (parts.most_weight != 0) return limit_weight(*weights_, parts.most_weight);
  if (parts.most_bytes != 0) return limit_bytes(parts.most_bytes, header_.size());
  return limit_records(parts.most_records);
}

void PartsOutput::distribute(PartRecords records) {
  if (weights_) weights_->load(records);
  while (!records.empty()) {
    if (!part_) begin_part(records);
    const PartTake take = cuts_->take(records);
    if (take.releases && !take.ends) release_waiting();
    const PartRecords taken = records.first(take.bytes);
    if (take.holds) {
      waiting_.append(taken);
    } else {
      append(taken);
    }
    records = records.behind(take.bytes);
    if (take.ends) end_part();
    if (take.releases && take.ends) {
      begin_part(records);
      release_waiting();
    }
  }
}

// `records`: the first of them begin the part.
void PartsOutput::begin_part(const PartRecords& records) {
  const std::string path = context_.parts.by_first_key ? path_of_value(records) : names_.for_number(part_count_);
  ++part_count_;
  refuse_other_file(path);
  part_ = compress_output(begin_file(path), is_packed_ ? recognise_suffix(context_.pattern) : CompressionFormat::kNone,
                          context_.packing);
  if (around_cache_) part_->write_around_cache();
  if (share_bytes_ != 0) part_->expect(header_.size() + share_bytes_);
  if (!header_.empty()) part_->write(header_);
  summary_ = {.file = name_in_directory(path)};
  if (context_.parts.by_first_key && !context_.list_head.shares.empty()) summary_.split = value_.bytes;
}

std::string PartsOutput::path_of_value(const PartRecords& records) {
  const KeyText value = group_keys_->texts(records.first_keyed()).front();
  if (part_count_ == 0 || value.bytes != value_.bytes || value.type != value_.type) parts_of_value_ = 0;
  value_ = value;
  const std::uint64_t number = parts_of_value_++;
  std::string path = names_.for_value(value, number);
  if (context_.shown.format.text.json) {
    const bool is_string = value.type == JsonType::kString;
    const bool named_string = named_strings_.emplace(path, is_string).first->second;
    if (named_string != is_string) {
      path = is_string ? names_.for_quoted_value(value, number) : names_.for_other_value(value, number);
    }
  }
  if (context_.shown.may_disagree && set_.has(path)) {
    throw Error("more records for " + quote_path(path) +
                " come behind those of another value: the inputs are not sorted by that key, sort them first");
  }
  return path;
}

void PartsOutput::refuse_other_file(const std::string& path) {
  const auto refuse = [](const std::string& replaced) {
    throw Error("a part of the output would replace " + quote_path(replaced) +
                ", which is in use for another purpose: name the parts otherwise");
  };
  const auto is_part = [&](const std::string& later) {
    return set_.folds_names_beside(files_.resolve_links(later)) && lead_to_one_name(files_, path, later);
  };
  const auto later = std::ranges::find_if(context_.later_files, is_part);
  if (later != context_.later_files.end()) refuse(*later);
  if (protected_files_.empty()) return;
  const FileStatus status = files_.status(path);
  if (status.kind == FileStatus::Kind::kRegular && protected_files_.contains({status.device, status.inode}))
    refuse(path);
}

std::unique_ptr<Output> PartsOutput::begin_file(const std::string& path) {
  return naming_values([&] { return set_.begin(path); });
}

// Values that differ are no longer told apart by the names of their files.
void PartsOutput::refuse_same_file(const SameFileError& error) const {
  const auto is_part = [&](const std::string& path) { return names_.may_be_part(name_in_directory(path)); };
  if (!context_.parts.by_first_key || !is_part(error.first()) || !is_part(error.second())) throw error;
  throw Error(
      "the parts of the values " + quote_word(names_.value_in(error.first())) + " and " +
      quote_word(names_.value_in(error.second())) + " would be one file, " + quote_path(error.first()) +
      ": its file system takes their names for the same; let the key ignore case, make the values alike, or write "
      "the parts to another file system");
}

void PartsOutput::append(const PartRecords& records) {
  if (records.empty()) return;
  part_->write(records.bytes());
  if (!list_) return;
  if (list_keys_) {
    if (summary_.totals.records == 0) summary_.first_keys = list_keys_->texts(records.first_keyed());
    release_memory(summary_.last_keys);
    summary_.last_keys = list_keys_->texts(records.last_keyed());
  }
  if (weights_) summary_.weight += weights_->sum(records);
  summary_.totals += records.totals(context_.shown.format, context_.has_checksums);
}

void PartsOutput::release_waiting() {
  waiting_.release([this](const PartRecords& records) { append(records); });
}

void PartsOutput::end_part() {
  naming_values([this] { part_->finish(); });
  part_.reset();
  if (!list_) return;
  summary_.file_bytes = set_.last_bytes();
  list_->add(summary_);
  summary_ = {};
}

void PartsOutput::finish() {
  if (!has_begun_) begin_output();
  finish_parts();
  const bool shows_manifest = context_.parts.manifest_path == "-";
  if (list_ && !shows_manifest) {
    write_manifest(*begin_file(context_.parts.manifest_path));
  }
  naming_values([this] { set_.put_in_place(); });
  if (shows_manifest) write_manifest(*open_output(files_, "-"));
}

void PartsOutput::finish_parts() {
  if (all_waits_) {
    cut_up(waiting_.size());
    waiting_.release([this](const PartRecords& records) { distribute(records); });
  } else if (!waiting_.empty()) {
    release_waiting();
  }
  if (part_) end_part();
  while (part_count_ < context_.parts.count) {
    begin_part({});
    end_part();
  }
}

void PartsOutput::write_manifest(Output& manifest) {
  list_->write(manifest);
  naming_values([&] { manifest.finish(); });
}

}  // namespace sortie
