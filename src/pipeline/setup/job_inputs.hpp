// The inputs of a job: their header, the options that follow from the header, and what is known of their size and their
// records before these are sorted. JobInputs finds that out once, and again after it has read the beginning of a pipe
// or mapped a file. Used by SortJob and by plan().
#pragma once

#include <cstdint>
#include <memory>

#include "io/files/file.hpp"
#include "observe/observer.hpp"
#include "pipeline/input/input_mark.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/input/record_reader.hpp"
#include "pipeline/setup/input_estimate.hpp"
#include "pipeline/setup/job_setup.hpp"

namespace sortie {

class JobInputs {
 public:
  /// Looks at inputs until the header is known. Throws Error if one of them cannot be read, or if a key names a column
  /// that the header does not have.
  JobInputs(FileSystem& files, const SortOptions& options);

  /// Looks at all inputs, which will be read one after another. --merge does not call it: it opens inputs one by one.
  /// Throws Error as RecordReader does.
  void open(Observer& observer);

  /// Counts what an earlier attempt has read as read. For a plan, which reads nothing.
  void count_resumed(const InputMark& mark) { facts_.resumed_bytes = mark.totals.bytes; }

  /// The same, and continues to read behind it. The runs of a job that is continued must not refer to where the input
  /// lies in memory. Precondition: open().
  void continue_at(const InputMark& mark);

  /// Finds out what can be known now without reading further.
  void take_facts();

  /// Maps the input and lets decorated lines refer to it; the format of decorated lines stays the same. Returns false,
  /// and leaves everything as it was, if it cannot be mapped or there is no room beside it. Preconditions:
  /// take_facts(), plan with Reading::kInPlace, nothing has been read.
  bool leave_lines_in_place();

  const ResolvedOptions& resolved() const { return resolved_; }
  const InputFacts& facts() const { return facts_; }
  InputOpener& opener() { return opener_; }
  /// Null before open().
  RecordReader* reader() { return reader_.get(); }

 private:
  InputOpener opener_;
  ResolvedOptions resolved_;
  InputFacts facts_;
  std::unique_ptr<RecordReader> reader_;
};

}  // namespace sortie
