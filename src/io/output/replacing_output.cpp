#include "io/output/replacing_output.hpp"

#include <sortie/error.hpp>

#include "io/paths/paths.hpp"

namespace sortie {

ReplacingOutput::ReplacingOutput(FileSystem& files, const std::string& path, const FileStatus& target,
                                 TemporaryNames* names)
    : files_(files),
      target_(target),
      resolved_path_(files.resolve_links(path)),
      directory_(directory_of(resolved_path_)),
      result_(files, directory_, hidden_path_beside(resolved_path_), creation_for(target, path), names) {}

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

}  // namespace sortie
