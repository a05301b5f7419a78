// The right records of a join that have the same keys: they are needed once for each left record. They are kept in
// memory up to a limit, and beyond that in scratch space. Used by the merge join.
//
//   | in memory | in a file |      in the order in which they were added; each is a length and bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/files/scratch.hpp"
#include "observe/observer.hpp"

namespace sortie {

class RepeatedGroup {
 public:
  using Visitor = std::function<void(std::string_view record)>;

  /// All references must outlive this.
  RepeatedGroup(ScratchSpace& scratch, std::size_t most_bytes, Observer& observer)
      : scratch_(scratch), most_bytes_(most_bytes), observer_(observer) {}

  /// Drops all records. Their memory stays, their file is given back.
  void clear();
  /// Throws Error for a record of 4 GiB, and if scratch space cannot be written.
  void add(std::string_view record);
  /// Calls visit(record) for all records in turn, any number of times.
  void for_each(const Visitor& visit);

 private:
  void spill();
  void read(std::uint64_t offset, std::span<std::byte> target) const;
  std::size_t visit_records(std::string_view bytes, const Visitor& visit) const;

  ScratchSpace& scratch_;
  std::size_t most_bytes_;
  Observer& observer_;
  std::string kept_;    // records that stay in memory
  std::string behind_;  // records behind those in the file
  std::string read_;    // of the file
  std::unique_ptr<File> file_;
  std::uint64_t file_bytes_ = 0;
};

}  // namespace sortie
