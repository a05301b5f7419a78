// A result that no file can take before it is complete: it is kept in memory, and written to its target at the end. So
// small results come to a target that must be rewritten where no directory may hold scratch files, and a process gets
// along that may open no more files while it reads.
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "io/output/file_outputs.hpp"

namespace sortie {
namespace {

/// A result is kept in pieces of this size, so that it is never copied to make room.
constexpr std::size_t kHeldPieceBytes = 1 << 20;

class HeldOutput final : public Output {
 public:
  HeldOutput(FileSystem& files, std::string path, TemporaryNames* names, std::uint64_t most_bytes,
             std::exception_ptr why_held)
      : files_(files),
        path_(std::move(path)),
        names_(names),
        most_bytes_(most_bytes),
        // NOLINTNEXTLINE(bugprone-throw-keyword-missing): it is thrown where the result does not fit
        why_held_(std::move(why_held)) {}

  void write(std::span<const std::byte> bytes) override;
  void expect(std::uint64_t bytes) override;
  void write_around_cache() override {}
  void finish() override;

 private:
  void make_file();
  void rewrite(const FileStatus& target);

  FileSystem& files_;
  std::string path_;
  TemporaryNames* names_;
  std::uint64_t most_bytes_;
  std::exception_ptr why_held_;
  std::uint64_t bytes_ = 0;
  std::vector<std::vector<std::byte>> pieces_;
  std::unique_ptr<Output> file_;  // takes everything once it is there
};

void HeldOutput::expect(std::uint64_t bytes) {
  if (bytes > most_bytes_ && !file_) make_file();
  if (file_) file_->expect(bytes);
}

// Takes what has come so far. Only a file that replaces its target can be made before the result is complete.
void HeldOutput::make_file() {
  const FileStatus target = files_.target_status(path_);
  if (target.kind == FileStatus::Kind::kRegular && !target.replaceable) std::rethrow_exception(why_held_);
  file_ = make_replacing_output(files_, path_, target, names_);
  for (std::vector<std::byte>& piece : pieces_) {
    file_->write(piece);
    piece = {};
  }
  pieces_.clear();
}

void HeldOutput::write(std::span<const std::byte> bytes) {
  bytes_ += bytes.size();
  if (bytes_ > most_bytes_ && !file_) make_file();
  if (file_) return file_->write(bytes);
  while (!bytes.empty()) {
    if (pieces_.empty() || pieces_.back().size() == pieces_.back().capacity()) {
      pieces_.emplace_back().reserve(static_cast<std::size_t>(std::min<std::uint64_t>(kHeldPieceBytes, most_bytes_)));
    }
    std::vector<std::byte>& piece = pieces_.back();
    const auto taken = bytes.first(std::min(bytes.size(), piece.capacity() - piece.size()));
    piece.insert(piece.end(), taken.begin(), taken.end());
    bytes = bytes.subspan(taken.size());
  }
}

void HeldOutput::finish() {
  if (!file_) {
    const FileStatus target = files_.target_status(path_);
    if (target.kind == FileStatus::Kind::kRegular && !target.replaceable) return rewrite(target);
    make_file();
  }
  file_->finish();
}

// A signal that would end the process waits: there is no other copy of the result.
void HeldOutput::rewrite(const FileStatus& target) {
  const auto lock = names_ == nullptr ? TemporaryNames::Lock() : names_->hold();
  RewrittenTarget file(files_, files_.resolve_links(path_), target.bytes);
  try {
    file.make_room(bytes_);
    std::uint64_t offset = 0;
    for (const std::vector<std::byte>& piece : pieces_) {
      file.write_at(offset, piece);
      offset += piece.size();
    }
    file.finish(bytes_);
  } catch (const Error& error) {
    if (!file.is_changed()) throw;
    throw Error(std::string(error.what()) + "; " + quote_path(path_) +
                " is incomplete, and there is no other copy: sort again");
  }
}

}  // namespace

std::unique_ptr<Output> make_held_output(FileSystem& files, const std::string& path, TemporaryNames* names,
                                         std::uint64_t most_bytes, std::exception_ptr why_held) {
  return std::make_unique<HeldOutput>(files, path, names, most_bytes, std::move(why_held));
}

}  // namespace sortie
