// The samples of a tar archive, as WebDataset has them: consecutive files whose names are alike up to the first dot of
// their last part are one sample. Called by the reader of tar archives.
//
//   a/7.jpg  a/7.json  a/8.jpg     two samples, of the keys a/7 and a/8
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/tar/tar_walk.hpp"

namespace sortie::formats::tar {

/// The key of a file's sample; nothing for a file that WebDataset passes over: one whose name has no dot, or nothing
/// but a dot in front, and one that describes its archive, whose name begins like __this__.
std::optional<std::string_view> sample_key(std::string_view name);

/// A file of a sample: what two samples are compared by.
struct SampleFile {
  std::string extension;  ///< what stands behind the key in its name
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

struct TarSample {
  std::uint64_t begin = 0;  ///< offset of its first entry
  std::uint64_t end = 0;    ///< behind its last one
  std::string key = {};
  std::uint64_t file_count = 0;        ///< 0: a loader sees nothing of it
  std::vector<SampleFile> files = {};  ///< if they are wanted
};

class TarSamples {
 public:
  /// `names_files`: whether TarSample::files are wanted. `walk` must outlive this.
  explicit TarSamples(TarWalk& walk, bool names_files = true) : walk_(walk), names_files_(names_files) {}

  /// The next sample; nothing at the end. All entries are in one: what no loader reads goes with the sample in front of
  /// it, or at the begin of an archive with the one behind it. Throws Error as TarWalk::next() does.
  std::optional<TarSample> next();

 private:
  TarWalk& walk_;
  bool names_files_;
  std::optional<TarEntry> ahead_;  // of the next sample
  bool has_begun_ = false;
};

}  // namespace sortie::formats::tar
