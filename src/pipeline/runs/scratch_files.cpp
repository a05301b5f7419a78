#include "pipeline/runs/scratch_files.hpp"

#include <algorithm>

namespace sortie {

ScratchFiles::ScratchFiles(ScratchSpace& scratch, std::uint64_t most_files)
    : scratch_(scratch), most_files_(std::max<std::uint64_t>(most_files, scratch.directories().size())) {}

std::shared_ptr<ScratchFile> ScratchFiles::next() {
  const std::scoped_lock lock(mutex_);
  std::erase_if(files_, [](const auto& file) { return file.expired(); });
  std::shared_ptr<ScratchFile> least;
  if (files_.size() >= most_files_) {
    for (const auto& open : files_) {
      std::shared_ptr<ScratchFile> file = open.lock();
      if (file && (!least || file->used_bytes() < least->used_bytes())) least = std::move(file);
    }
  }
  if (least) return least;
  auto file = std::make_shared<ScratchFile>(scratch_.create());
  files_.push_back(file);
  return file;
}

}  // namespace sortie
