#include "io/output/file_set.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/random_bits.hpp"
#include "io/files/folded_names.hpp"
#include "io/files/io_error.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// Each file that is synced by itself waits for the disk.
constexpr std::size_t kMostSyncedAlone = 16;

/// Some file systems announce to the disk each file that is removed, and whoever removes it waits for that: one thread
/// takes 28 s for 8000 files, 16 take 0.9 s, 64 take 0.4 s (ext4 without journal, mounted with `discard`).
constexpr std::size_t kMostRemovers = 32;
constexpr std::size_t kRemovedByOne = 64;

/// A message names no more of the files that cannot be taken back.
constexpr std::size_t kMostNamedStuck = 20;

std::pair<std::uint64_t, std::uint64_t> file_identity(const FileStatus& status) {
  return {status.device, status.inode};
}

/// Throws Error unless a file can change places with what is at `path`.
void require_exchange(const std::string& path, const FileStatus& status) {
  const auto refuse = [&](int error_number) {
    throw_io_error("open", quote_path(path), error_number, FileRole::kOutput);
  };
  if (status.is_stream()) throw Error("cannot write parts to " + quote_path(path) + ", which is no file: name files");
  if (status.kind == FileStatus::Kind::kDirectory) refuse(EISDIR);
  if (status.kind == FileStatus::Kind::kMissing) return;
  if (!status.writable) refuse(status.write_error);
  if (!status.replaceable) {
    throw Error("cannot replace " + quote_path(path) +
                " together with others: it has other names, another owner or "
                "attributes; move it, or name the parts otherwise");
  }
}

}  // namespace

class FileSet::MemberOutput final : public Output {
 public:
  MemberOutput(FileSet& set, Member& member) : set_(set), member_(member) {}

  void write(std::span<const std::byte> bytes) override { member_.result.write(bytes); }
  void expect(std::uint64_t bytes) override { member_.result.expect(bytes); }
  void write_around_cache() override { member_.result.write_around_cache(); }
  void finish() override { set_.complete(member_); }

 private:
  FileSet& set_;
  Member& member_;
};

SameFileError::SameFileError(std::string first, std::string second)
    : Error(
          quote_path(first) + " and " + quote_path(second) +
          " would be one file: this file system takes their names for the same; name them otherwise, or write them to "
          "another file system"),
      first_(std::move(first)),
      second_(std::move(second)) {}

FileSet::Member::Member(FileSystem& files, const std::string& shown, std::string resolved, const FileStatus& status,
                        const std::string& hidden, TemporaryNames* names)
    : target(status),
      path(std::move(resolved)),
      result(files, directory_of(path), hidden, creation_for(target, shown), names) {}

FileSet::FileSet(FileSystem& files, TemporaryNames* names, std::size_t most_open)
    : files_(files), names_(names), most_open_(most_open), hidden_bits_(random_bits()) {}

// From the last to the first: so their temporary names are found at once.
FileSet::~FileSet() {
  remove_hidden();
  while (!members_.empty()) members_.pop_back();
}

// What is not in its place, or was replaced. Does with fewer threads where the system allows no more.
void FileSet::remove_hidden() noexcept {
  std::atomic<std::size_t> next = 0;
  const auto remove_some = [&] {
    for (std::size_t i = next++; i < members_.size(); i = next++) members_[i]->result.remove();
  };
  std::vector<std::jthread> others;
  try {
    const std::size_t wanted = std::min(kMostRemovers - 1, members_.size() / kRemovedByOne);
    others.reserve(wanted);
    while (others.size() < wanted) others.emplace_back(remove_some);
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
  remove_some();
}

std::unique_ptr<Output> FileSet::begin(const std::string& path) {
  const FileStatus status = files_.target_status(path);
  require_exchange(path, status);
  std::string resolved = files_.resolve_links(path);
  if (paths_.contains(resolved)) {
    throw Error("two parts would be the file " + quote_path(path) + ": name the parts otherwise");
  }
  const std::string hidden = hidden_path_beside(resolved, hidden_bits_).value_or(hidden_path_beside(resolved));
  if (have_names_) refuse_same_file(resolved, hidden);
  const auto replaced = replaced_.find(file_identity(status));
  if (status.kind == FileStatus::Kind::kRegular && replaced != replaced_.end()) {
    throw SameFileError(replaced->second->path, resolved);
  }
  members_.push_back(std::make_unique<Member>(files_, path, std::move(resolved), status, hidden, names_));
  const Member& member = *members_.back();
  if (!member.is_new()) replaced_.emplace(file_identity(status), &member);
  have_names_ = have_names_ || member.result.has_temporary_name();
  paths_.insert(member.path);
  if (folds_names_beside(member.path)) take_hidden_name(*members_.back());
  return std::make_unique<MemberOutput>(*this, *members_.back());
}

bool FileSet::folds_names_beside(const std::string& path) {
  const auto [directory, is_new] = directories_.try_emplace(directory_of(path));
  if (is_new) directory->second = folds_names(files_, directory->first);
  return directory->second;
}

void FileSet::complete(Member& member) {
  ResultFile& result = member.result;
  result.complete();
  File& file = result.file();
  if (!member.is_new() || result.has_temporary_name()) {
    file.adopt_permissions(member.target);
  }
  file.start_writeback(0, result.bytes());
  if (++completed_ <= most_open_) return;
  take_hidden_name(member);
  result.close();
}

// Names of hidden files differ as little as those of the files that they are to be: where one is there already, it is
// that of another member. `path` is to be the file that is hidden under `hidden`.
void FileSet::refuse_same_file(const std::string& path, const std::string& hidden) {
  const FileStatus there = files_.status(hidden);
  if (there.kind == FileStatus::Kind::kMissing) return;
  const auto is_there = [&](const auto& other) {
    return other->result.has_temporary_name() &&
           file_identity(files_.status(other->result.temporary_path())) == file_identity(there);
  };
  const std::string name = name_in_directory(path);
  const auto has_same_name = [&](const auto& other) {
    const std::string other_name = name_in_directory(other->path);
    return directory_of(other->path) == directory_of(path) && may_be_one_name(other_name, name) &&
           are_one_name(files_, directory_of(path), other_name, name);
  };
  auto other = std::ranges::find_if(members_, is_there);
  if (other == members_.end()) other = std::ranges::find_if(members_, has_same_name);
  throw SameFileError(other == members_.end() ? hidden : (*other)->path, path);
}

void FileSet::take_hidden_name(Member& member) {
  if (member.result.has_temporary_name()) return;
  if (have_names_) refuse_same_file(member.path, member.result.temporary_path());
  member.result.take_temporary_name();
  have_names_ = true;
}

void FileSet::put_in_place() {
  make_durable();
  place_all();
  sync_directories();
}

// Files have their names before they are synced: some file systems keep no record of a file without a name. Of many
// files, each would wait for the disk by itself.
void FileSet::make_durable() {
  for (const auto& member : members_) take_hidden_name(*member);
  if (completed_ > std::min(most_open_, kMostSyncedAlone)) {
    for (const auto& [directory, folds] : directories_) files_.sync_file_system(directory);
    return;
  }
  for (const auto& member : members_) member->result.file().sync();
}

// Those that replace nothing come first: names that reach one file are found before anything is replaced.
std::vector<FileSet::Member*> FileSet::in_order_of_places() const {
  std::vector<Member*> order;
  order.reserve(members_.size());
  for (const auto& member : members_) order.push_back(member.get());
  std::stable_partition(order.begin(), order.end(), [](const Member* member) { return member->is_new(); });
  return order;
}

void FileSet::place_all() {
  const std::vector<Member*> order = in_order_of_places();
  std::string failure;
  std::vector<Member*> stuck;
  {
    const auto lock = names_ == nullptr ? TemporaryNames::Lock() : names_->hold();
    std::size_t placed = 0;
    try {
      for (; placed < order.size(); ++placed) place(*order[placed], std::span(order).first(placed));
      return;
    } catch (const Error& error) {
      failure = error.what();
      stuck = take_back(std::span(order).first(placed));
      if (stuck.empty()) throw;
    }
  }
  for (std::size_t i = 0; i < stuck.size(); ++i) {
    Member& member = *stuck[i];
    const std::string former = "what was there is in " + quote_path(member.result.temporary_path());
    if (!member.is_new()) member.result.keep(former);
    if (i >= kMostNamedStuck) continue;
    failure += "; " + quote_path(member.path) + " has its place already" + (member.is_new() ? "" : ", " + former);
  }
  if (stuck.size() > kMostNamedStuck) {
    failure += "; so have " + std::to_string(stuck.size() - kMostNamedStuck) + " more";
  }
  throw Error(failure);
}

// What has come to a place that was free is kept aside, as what was there before is, unless it is a member itself.
void FileSet::place(Member& member, std::span<Member* const> placed) {
  if (member.is_new()) {
    const FileStatus now = files_.target_status(member.path);
    if (now.kind == FileStatus::Kind::kMissing) return member.result.replace(member.path);
    for (const Member* const other : placed) {
      if (file_identity(files_.status(other->path)) == file_identity(now))
        throw SameFileError(other->path, member.path);
    }
    require_exchange(member.path, now);
    member.target = now;
  }
  member.result.exchange(member.path);
}

// Returns those that cannot be taken back.
std::vector<FileSet::Member*> FileSet::take_back(std::span<Member* const> placed) noexcept {
  std::vector<Member*> stuck;
  for (auto place = placed.rbegin(); place != placed.rend(); ++place) {
    Member& member = **place;
    try {
      member.is_new() ? member.result.take_back(member.path) : member.result.exchange(member.path);
    } catch (const Error&) {
      stuck.push_back(&member);
    }
  }
  return stuck;
}

void FileSet::sync_directories() {
  try {
    for (const auto& [directory, folds] : directories_) files_.sync_directory(directory);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete, but a power failure may undo it");
  }
}

}  // namespace sortie
