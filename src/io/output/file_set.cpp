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
#include "io/files/io_error.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

/// Each file that is synced by itself waits for the disk.
constexpr std::size_t kMostSyncedAlone = 16;

/// Some file systems tell the disk of each file that is removed, and whoever removes it waits for that: one thread
/// takes 28 s for 8000 files, 16 take 0.9 s, 64 take 0.4 s (ext4 without journal, mounted with `discard`).
constexpr std::size_t kMostRemovers = 32;
constexpr std::size_t kRemovedByOne = 64;

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

FileSet::Member::Member(FileSystem& files, const std::string& shown, std::string resolved, const FileStatus& status,
                        TemporaryNames* names)
    : target(status),
      path(std::move(resolved)),
      result(files, directory_of(path), hidden_path_beside(path), creation_for(target, shown), names) {}

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
  const FileStatus status = files_.status(path);
  require_exchange(path, status);
  std::string resolved = files_.resolve_links(path);
  if (paths_.contains(resolved)) {
    throw Error("two parts would be the file " + quote_path(path) + ": name the parts otherwise");
  }
  members_.push_back(std::make_unique<Member>(files_, path, std::move(resolved), status, names_));
  paths_.insert(members_.back()->path);
  directories_.insert(directory_of(members_.back()->path));
  return std::make_unique<MemberOutput>(*this, *members_.back());
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
  result.take_temporary_name();
  result.close();
}

void FileSet::put_in_place() {
  make_durable();
  place_all();
  sync_directories();
}

// Files have their names before they are synced: some file systems keep no record of a file without a name. Of many
// files, each would wait for the disk by itself.
void FileSet::make_durable() {
  for (const auto& member : members_) member->result.take_temporary_name();
  if (completed_ > std::min(most_open_, kMostSyncedAlone)) {
    for (const std::string& directory : directories_) files_.sync_file_system(directory);
    return;
  }
  for (const auto& member : members_) member->result.file().sync();
}

void FileSet::place_all() {
  std::string failure;
  std::vector<Member*> stuck;
  {
    const auto lock = names_ == nullptr ? TemporaryNames::Lock() : names_->hold();
    std::size_t placed = 0;
    try {
      for (; placed < members_.size(); ++placed) {
        Member& member = *members_[placed];
        member.is_new() ? member.result.replace(member.path) : member.result.exchange(member.path);
      }
      return;
    } catch (const Error& error) {
      failure = error.what();
      stuck = take_back(placed);
    }
  }
  for (Member* const member : stuck) {
    failure += "; " + quote_path(member->path) + " has its place already";
    if (member->is_new()) continue;
    const std::string former = "what was there is in " + quote_path(member->result.temporary_path());
    member->result.keep(former);
    failure += ", " + former;
  }
  throw Error(failure);
}

// Returns those that cannot be taken back.
std::vector<FileSet::Member*> FileSet::take_back(std::size_t count) noexcept {
  std::vector<Member*> stuck;
  while (count > 0) {
    Member& member = *members_[--count];
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
    for (const std::string& directory : directories_) files_.sync_directory(directory);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete, but a power failure may undo it");
  }
}

}  // namespace sortie
