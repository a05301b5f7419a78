// A file written where its target is and renamed onto it, so that the target is either as it was or
// complete.
//
//   file without a name ── write ... ── permissions, sync ── NAME ── sync file and directory
//
// Until it has its name, nothing is left if the process is killed. Giving a name cannot replace a file, renaming can:
// so if NAME is taken the file is called .NAME.sortie-XXXXXX for the moment between these two calls. If the file system
// has no files without a name it is called that from the beginning, and what a killed process leaves can be read by
// this user alone.
#include <memory>
#include <string>

#include <sortie/error.hpp>

#include "io/output/file_outputs.hpp"
#include "io/output/result_file.hpp"
#include "io/paths/paths.hpp"

namespace sortie {
namespace {

class ReplacingOutput final : public Output {
 public:
  ReplacingOutput(FileSystem& files, const std::string& path, const FileStatus& target, TemporaryNames* names)
      : files_(files),
        target_(target),
        resolved_path_(files.resolve_links(path)),
        directory_(directory_of(resolved_path_)),
        result_(files, directory_, hidden_path_beside(resolved_path_), creation_for(target, path), names) {}

  void write(std::span<const std::byte> bytes) override { result_.write(bytes); }
  bool takes_early() override { return result_.takes_early(); }
  bool write_early(std::uint64_t position, std::span<const std::byte> bytes) override {
    return result_.write_early(position, bytes);
  }
  std::span<std::byte> early_room(std::uint64_t position, std::uint64_t bytes, bool waits) override {
    return result_.early_room(position, bytes, waits);
  }
  void pass_over(std::uint64_t bytes) override { result_.pass_over(bytes); }
  void expect(std::uint64_t bytes) override { result_.expect(bytes); }
  void write_around_cache() override { result_.write_around_cache(); }
  void finish() override;

 private:
  void put_in_place();
  bool take_free_name();

  FileSystem& files_;
  FileStatus target_;
  std::string resolved_path_;
  std::string directory_;
  ResultFile result_;
};

void ReplacingOutput::finish() {
  result_.complete();
  File& file = result_.file();
  if (target_.kind == FileStatus::Kind::kRegular || result_.has_temporary_name()) file.adopt_permissions(target_);
  file.sync();
  put_in_place();
  try {
    file.sync();      // some file systems keep no record of a file without a name
    result_.close();  // its descriptor may be the last one
    files_.sync_directory(directory_);
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete, but a power failure may undo it");
  }
}

void ReplacingOutput::put_in_place() {
  if (!result_.has_temporary_name() && take_free_name()) return;
  result_.take_temporary_name();
  result_.replace(resolved_path_);
}

// Fails if somebody has made a file of that name meanwhile.
bool ReplacingOutput::take_free_name() {
  if (target_.kind != FileStatus::Kind::kMissing) return false;
  try {
    result_.file().give_name(resolved_path_);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::unique_ptr<Output> make_replacing_output(FileSystem& files, const std::string& path, const FileStatus& target,
                                              TemporaryNames* names) {
  return std::make_unique<ReplacingOutput>(files, path, target, names);
}

}  // namespace sortie
