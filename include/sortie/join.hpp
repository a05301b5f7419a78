// Joins two inputs of lines or CSV that are larger than memory: each record of the one with each of the other that has
// the same keys. Inputs are sorted by these keys first, unless they are sorted already.
#pragma once

#include <string>

#include <sortie/error.hpp>
#include <sortie/join_options.hpp>
#include <sortie/report.hpp>

namespace sortie {

/// A record of an input cannot be a part of a row. The same inputs would be refused again.
class RecordError : public Error {
 public:
  using Error::Error;
};

/// Joins. The inputs are sorted at the same time, each as sort() does it, with its check of what comes out, and are
/// joined while they are merged. Records of the right input with equal keys that memory does not hold go to scratch
/// space. Throws Error, and RecordError for a record; the output is then as it was. A file that seems to be sorted is
/// not sorted again, as long as it is in order; that takes an output that is a file, too. Synchronises: returns when
/// the output is complete.
JoinReport join(const JoinOptions& options);

/// Says what join() would do, in several lines: how both inputs would be sorted, and what each has of memory and
/// threads. Reads sizes and headers alone. Throws Error where join() would refuse to start.
std::string plan(const JoinOptions& options);

}  // namespace sortie
