// A file of BGZF and the index of places beside it. Both take their places together, or neither does. Used by outputs
// of lines (indexed_output.hpp) and by formats of files.
//
//   bytes ──▶ packed as BGZF ──▶ blocks counted ──▶ FILE ──────┐
//   places ──▶ index ────────────────────────────▶ FILE.tbi ───┴──▶ both in place
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <sortie/index_options.hpp>
#include <sortie/temporary_names.hpp>

#include "io/files/file.hpp"
#include "io/output/file_set.hpp"
#include "io/output/output.hpp"
#include "record/places/place_index.hpp"

namespace sortie {

/// "OUTPUT.tbi"
std::string index_path(const std::string& output, IndexForm form);

class IndexedFile {
 public:
  /// Throws Error now if one of the files could not take its place. `level`: how hard the file is packed. `names` may
  /// be null.
  IndexedFile(FileSystem& files, const std::string& path, int level, PlaceIndex index, TemporaryNames* names);
  ~IndexedFile();
  IndexedFile(const IndexedFile&) = delete;
  IndexedFile& operator=(const IndexedFile&) = delete;

  Output& packed() { return *packed_; }
  /// Throws Error as PlaceIndex::add() does: where blocks begin takes of the index's memory, too. The offsets are those
  /// of all bytes that packed() gets.
  void add(const Place& place, std::uint64_t begin, std::uint64_t end);
  void add_without_place();
  /// Completes both, and puts them in their places.
  void finish();

 private:
  class BlockStarts;

  std::string index_path_;
  std::unique_ptr<BlockStarts> starts_;
  FileSet files_;
  std::unique_ptr<Output> packed_;
  PlaceIndex index_;
};

}  // namespace sortie
