#include "formats/input_share.hpp"

#include <algorithm>

#include <sortie/error.hpp>

#include "base/quote.hpp"

namespace sortie::formats {
namespace {

std::uint64_t bytes_of(FileSystem& files, const std::string& path) {
  const FileStatus status = files.status(path);
  if (status.kind != FileStatus::Kind::kRegular) {
    throw Error("input " + quote_path(path) + " is no regular file, which several processes could share: name a file");
  }
  return status.bytes;
}

}  // namespace

std::vector<InputStretch> stretches_of(FileSystem& files, const std::vector<std::string>& paths,
                                       const std::optional<InputShare>& share, bool are_divided) {
  std::vector<InputStretch> stretches;
  if (!share) {
    for (std::size_t i = 0; i < paths.size(); ++i) stretches.push_back({.input = i});
    return stretches;
  }
  if (!share->record_counts.empty() && share->record_counts.size() != paths.size()) {
    throw Error("the inputs were counted when there were " + std::to_string(share->record_counts.size()) +
                " of them: count them again");
  }
  const std::uint64_t share_end = share->end.value_or(std::numeric_limits<std::uint64_t>::max());
  std::uint64_t behind = 0;  // bytes of the inputs so far
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::uint64_t bytes = bytes_of(files, paths[i]);
    InputStretch stretch{.input = i, .records_before = records};
    if (share->begin > behind) stretch.begin = share->begin - behind;
    if (share_end < behind + bytes) stretch.end = share_end - std::min(share_end, behind);
    const bool has_some = stretch.begin < std::min(stretch.end, bytes);
    const bool begins = stretch.begin == 0 && stretch.end > 0;
    if (!are_divided) stretch.end = std::numeric_limits<std::uint64_t>::max();
    if (are_divided ? has_some : has_some && begins) stretches.push_back(stretch);
    behind += bytes;
    if (!share->record_counts.empty()) records += share->record_counts[i];
  }
  return stretches;
}

}  // namespace sortie::formats
