#include "io/files/scratch.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <sortie/error.hpp>

namespace sortie {
namespace {

std::string default_directory() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

}  // namespace

ScratchSpace::ScratchSpace(FileSystem& files, std::vector<std::string> directories)
    : files_(files), directories_(std::move(directories)) {
  if (directories_.empty()) directories_.push_back(default_directory());
}

void ScratchSpace::check() const {
  for (const std::string& directory : directories_) files_.create_unnamed(directory);
}

std::unique_ptr<File> ScratchSpace::create() {
  const std::uint64_t turn = next_.fetch_add(1, std::memory_order_relaxed);
  return files_.create_unnamed(directories_[turn % directories_.size()]);
}

std::uint64_t ScratchSpace::free_bytes() const {
  std::vector<std::uint64_t> counted;
  std::uint64_t bytes = 0;
  for (const std::string& directory : directories_) {
    const FreeSpace space = files_.free_space(directory);
    if (std::find(counted.begin(), counted.end(), space.file_system) != counted.end()) continue;
    counted.push_back(space.file_system);
    bytes += space.bytes;
  }
  return bytes;
}

const std::string& ScratchSpace::roomiest_directory() const {
  const auto free_bytes = [this](const std::string& directory) {
    const std::uint64_t bytes = files_.free_space(directory).bytes;
    return bytes == FreeSpace::kUnknownBytes ? 0 : bytes;
  };
  return *std::ranges::max_element(directories_, {}, free_bytes);
}

bool ScratchSpace::lies_in_memory() const {
  try {
    return std::ranges::all_of(
        directories_, [this](const std::string& directory) { return files_.free_space(directory).lies_in_memory; });
  } catch (const Error&) {
    return false;
  }
}

bool ScratchSpace::uses(std::uint64_t file_system) const {
  return std::ranges::any_of(directories_, [&](const std::string& directory) {
    return files_.free_space(directory).file_system == file_system;
  });
}

}  // namespace sortie
