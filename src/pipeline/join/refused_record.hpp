// A record that cannot be a part of a row ends a join. When it comes out of the sort of its input, nobody knows any
// more where it stood there: the input is read again to find out.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <sortie/error.hpp>
#include <sortie/join.hpp>
#include <sortie/options.hpp>

#include "io/files/file.hpp"

namespace sortie {

/// Thrown by the row shaper, for the join job to name the record.
class RefusedRecord : public Error {
 public:
  /// `reason`: goes on behind the name of the record.
  RefusedRecord(bool is_right, std::string_view record, std::string reason)
      : Error("a record " + reason), is_right_(is_right), record_(record), reason_(std::move(reason)) {}

  bool is_right() const { return is_right_; }
  /// With its end.
  const std::string& record() const { return record_; }
  const std::string& reason() const { return reason_; }

 private:
  bool is_right_;
  std::string record_;
  std::string reason_;
};

/// The same error with the name of the record: its input and its number there, or how it begins if the input, the only
/// one of `side`, cannot be read again. Throws Stopped.
RecordError with_position(const RefusedRecord& refused, FileSystem& files, const SortOptions& side);

}  // namespace sortie
