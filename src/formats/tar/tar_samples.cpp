#include "formats/tar/tar_samples.hpp"

#include <utility>

namespace sortie::formats::tar {
namespace {

/// Files that WebDataset's tar_file_iterator() takes for words about the archive: __NAME__ alone, or as a folder.
bool describes_archive(std::string_view name) {
  if (!name.starts_with("__")) return false;
  const std::string_view part = name.substr(0, name.find('/'));
  return part.size() >= 4 && part.ends_with("__");
}

std::optional<std::string_view> key_of(const TarEntry& entry) {
  return entry.is_file ? sample_key(entry.name) : std::nullopt;
}

}  // namespace

// WebDataset finds the key by the pattern ^((?:.*/|)[^.]+)[.]([^/]*)$: something without a dot is in front of the first
// dot of the last part, if need be the slash and the folder in front of it.
std::optional<std::string_view> sample_key(std::string_view name) {
  if (describes_archive(name)) return std::nullopt;
  const std::size_t slash = name.rfind('/');
  const std::size_t part = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = name.find('.', part);
  if (dot == std::string_view::npos) return std::nullopt;
  if (dot > part) return name.substr(0, dot);
  if (part == 0) return std::nullopt;
  const std::string_view folders = name.substr(0, slash);
  const std::size_t folder_slash = folders.rfind('/');
  const std::string_view folder = folder_slash == std::string_view::npos ? folders : folders.substr(folder_slash + 1);
  if (folder.find('.') != std::string_view::npos) return std::nullopt;
  return name.substr(0, dot);
}

std::optional<TarSample> TarSamples::next() {
  if (!has_begun_) {
    has_begun_ = true;
    ahead_ = walk_.next();
  }
  if (!ahead_) return std::nullopt;
  TarSample sample{.begin = ahead_->begin};
  for (; ahead_; ahead_ = walk_.next()) {
    if (const auto key = key_of(*ahead_)) {
      if (sample.file_count > 0 && *key != sample.key) break;
      if (sample.file_count++ == 0) sample.key = *key;
      if (names_files_) {
        sample.files.push_back({ahead_->name.substr(key->size()), ahead_->content_begin, ahead_->content_bytes});
      }
    } else if (sample.key.empty()) {
      sample.key = ahead_->name;
    }
    sample.end = ahead_->end;
  }
  return sample;
}

}  // namespace sortie::formats::tar
