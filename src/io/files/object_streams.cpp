#include "io/files/object_streams.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/files/forwarding_file_system.hpp"
#include "io/files/object_process.hpp"
#include "io/files/partial_file.hpp"

namespace sortie {
namespace {

constexpr std::array<std::string_view, 10> kSchemes = {
    "s3://",  "gs://",  "az://",  "https://", "http://",  // and aliases
    "s3a://", "s3n://", "gcs://", "abfs://",  "abfss://"};

/// What stands in front of :// in a URL that no store of these has; empty for other names.
std::string_view other_scheme_of(std::string_view path) {
  const std::size_t end = path.find("://");
  if (end == std::string_view::npos || end < 2) return {};
  const auto is_of_scheme = [](char letter) {
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    return is_letter || (letter >= '0' && letter <= '9') || letter == '+' || letter == '-' || letter == '.';
  };
  return std::ranges::all_of(path.substr(0, end), is_of_scheme) ? path.substr(0, end) : std::string_view();
}

/// In whatever letters it is written.
std::string_view scheme_of(std::string_view path) {
  const auto is_same = [](char letter, char small) {
    return (letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter) == small;
  };
  for (const std::string_view scheme : kSchemes) {
    if (std::ranges::equal(path.substr(0, scheme.size()), scheme, is_same)) return scheme;
  }
  return {};
}

/// Where the server or the bucket begins: behind a user and a password, which may hold slashes.
std::size_t begin_of_place(std::string_view scheme, std::string_view rest) {
  const std::string_view place = rest.substr(0, rest.find('/'));
  // A container with its account is no user with a password.
  const std::size_t colon_or_at = place.find_first_of(":@");
  if (scheme.starts_with("abfs") && colon_or_at != std::string_view::npos && place[colon_or_at] == '@' &&
      place.rfind('@') == colon_or_at) {
    return 0;
  }
  if (place.find('@') != std::string_view::npos) return place.rfind('@') + 1;
  const std::size_t colon = place.starts_with('[') ? std::string_view::npos : place.find(':');
  const bool has_port =
      colon == std::string_view::npos || place.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  const std::size_t at = has_port ? std::string_view::npos : rest.rfind('@');
  return at == std::string_view::npos ? 0 : at + 1;
}

/// The URL up to what may be signed, without user and password.
std::string shown(std::string_view url) {
  const std::string_view scheme = scheme_of(url);
  std::string_view rest = url.substr(scheme.size());
  if (scheme.starts_with("http")) rest = rest.substr(0, rest.find_first_of("?#"));
  return std::string(scheme) + std::string(rest.substr(begin_of_place(scheme, rest)));
}

/// Names of files are in messages, traces and reports, and this one also in the list of processes.
void refuse_credentials(const std::string& url) {
  const std::string plain = shown(url);
  if (plain.size() == url.size()) return;
  throw Error(
      quote_path_always(plain) +
      " has a password, or something that may be a signature behind '?': leave it out, and give credentials by the "
      "environment or a profile; or read it with a program such as curl, and give '-'");
}

/// What is left of kObjectReadAheadBytes. Each open object takes the half of it, and 1 MiB if less is left.
class ReadAheadBudget {
 public:
  std::uint64_t take() {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t bytes = left_ / 2 / kLeast * kLeast;
    left_ -= bytes;
    return bytes;
  }
  void give_back(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    left_ += bytes;
  }

  static constexpr std::uint64_t kLeast = 1 << 20;

 private:
  std::mutex mutex_;
  std::uint64_t left_ = kObjectReadAheadBytes;
};

/// A share of the budget, given back by its end.
class ReadAheadShare {
 public:
  explicit ReadAheadShare(std::shared_ptr<ReadAheadBudget> budget)
      : budget_(std::move(budget)), bytes_(budget_->take()) {}
  ~ReadAheadShare() { budget_->give_back(bytes_); }
  ReadAheadShare(const ReadAheadShare&) = delete;
  ReadAheadShare& operator=(const ReadAheadShare&) = delete;

  std::uint64_t bytes() const { return std::max(bytes_, ReadAheadBudget::kLeast); }

 private:
  std::shared_ptr<ReadAheadBudget> budget_;
  std::uint64_t bytes_;
};

class ObjectInput final : public PartialFile {
 public:
  ObjectInput(const std::string& url, std::shared_ptr<ReadAheadBudget> budget)
      : path_(url),
        share_(std::move(budget)),
        process_(url, ObjectProcess::Work::kGet, {"--ahead=" + std::to_string(share_.bytes())}) {}

  const std::string& path() const override { return path_; }
  std::size_t read(std::span<std::byte> target) override { return process_.read(target); }

 private:
  std::string path_;
  ReadAheadShare share_;
  ObjectProcess process_;
};

std::vector<std::string> put_arguments(const std::string& scratch_directory) {
  std::vector<std::string> arguments = {"--blocks"};
  if (!scratch_directory.empty()) arguments.push_back("--scratch=" + scratch_directory);
  return arguments;
}

class ObjectOutput final : public PartialFile {
 public:
  ObjectOutput(const std::string& url, const std::string& scratch_directory)
      : path_(url), process_(url, ObjectProcess::Work::kPut, put_arguments(scratch_directory)) {}

  const std::string& path() const override { return path_; }
  void write(std::span<const std::byte> source) override {
    if (source.empty()) return;
    begin_block(source.size());
    process_.write(source);
  }
  void sync() override {
    begin_block(0);
    process_.finish();
  }

 private:
  void begin_block(std::uint64_t bytes) {
    std::array<std::byte, sizeof bytes> length;
    for (std::size_t i = 0; i < length.size(); ++i) length[i] = static_cast<std::byte>(bytes >> (8 * i));
    process_.write(length);
  }

  std::string path_;
  ObjectProcess process_;
};

class ObjectStreams final : public ForwardingFileSystem {
 public:
  ObjectStreams(FileSystem& files, std::string scratch_directory)
      : ForwardingFileSystem(files), scratch_directory_(std::move(scratch_directory)) {}

  std::unique_ptr<File> open_input(const std::string& path) override {
    if (!names_object(path)) return ForwardingFileSystem::open_input(path);
    refuse_credentials(path);
    return std::make_unique<ObjectInput>(path, budget_);
  }
  bool may_wait(const std::string& path) override {
    if (!names_object(path)) {
      if (!other_scheme_of(path).empty()) status(path);
      return ForwardingFileSystem::may_wait(path);
    }
    refuse_credentials(path);
    return true;
  }
  std::unique_ptr<File> open_stream(const std::string& path, const FileStatus& status) override {
    if (!names_object(path)) return ForwardingFileSystem::open_stream(path, status);
    refuse_credentials(path);
    return std::make_unique<ObjectOutput>(path, scratch_directory_);
  }
  FileStatus status(const std::string& path) override {
    return names_object(path) ? object_status(path) : known_status(path, ForwardingFileSystem::status(path));
  }
  FileStatus target_status(const std::string& path) override {
    return names_object(path) ? object_status(path) : known_status(path, ForwardingFileSystem::target_status(path));
  }
  std::string resolve_links(const std::string& path) override {
    return names_object(path) ? path : ForwardingFileSystem::resolve_links(path);
  }

 private:
  /// Throws Error for a URL that nobody opens here.
  FileStatus known_status(const std::string& path, FileStatus status) {
    const std::string_view scheme = other_scheme_of(path);
    if (scheme.empty() || status.kind != FileStatus::Kind::kMissing) return status;
    // A new file may be called so, in a directory that is there.
    if (ForwardingFileSystem::status(path.substr(0, path.rfind('/'))).kind == FileStatus::Kind::kMissing) {
      const std::string_view rest = std::string_view(path).substr(scheme.size() + 3);
      throw Error(
          quote_path_always(std::string(scheme) + "://" + std::string(rest.substr(begin_of_place(scheme, rest)))) +
          " is of the scheme '" + std::string(scheme) +
          "', which is not known here: give a file, or an object of s3://, gs://, az:// or https://, or read it "
          "with another program, and give '-'");
    }
    return status;
  }

  /// Objects are told apart by their names.
  static FileStatus object_status(const std::string& url) {
    refuse_credentials(url);
    FileStatus status;
    status.kind = FileStatus::Kind::kStream;
    status.is_pipe = true;
    status.writable = true;
    status.device = std::numeric_limits<std::uint64_t>::max();
    status.inode = std::hash<std::string>()(url);
    return status;
  }

  std::string scratch_directory_;
  std::shared_ptr<ReadAheadBudget> budget_ = std::make_shared<ReadAheadBudget>();
};

}  // namespace

bool names_object(std::string_view path) { return !scheme_of(path).empty(); }

std::unique_ptr<FileSystem> with_object_streams(FileSystem& files, std::string scratch_directory) {
  return std::make_unique<ObjectStreams>(files, std::move(scratch_directory));
}

}  // namespace sortie
