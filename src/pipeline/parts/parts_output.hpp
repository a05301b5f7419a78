// An output that is cut into parts. It takes the bytes that one output would hold, finds the ends of records in them
// again, and writes one part after another. They take their places together, with their manifest.
//
//   header, records ──▶ cuts ──▶ part ──▶ packed ──▶ file set ──▶ all in place
//              waiting records, where it is not known yet in which part they are
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sortie/parts.hpp>

#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/file_set.hpp"
#include "io/output/output.hpp"
#include "pipeline/parts/part_cuts.hpp"
#include "pipeline/parts/part_keys.hpp"
#include "pipeline/parts/part_list.hpp"
#include "pipeline/parts/part_names.hpp"
#include "pipeline/parts/part_records.hpp"
#include "pipeline/parts/waiting_records.hpp"

namespace sortie {

/// How the records come, and what they come from.
struct PartsContext {
  Parts parts;
  std::string pattern;  ///< of their names
  Packing packing;
  ShownRecords shown;
  bool are_framed = false;  ///< they come as RecordForm::kFramed
  bool has_checksums = true;
  /// Files that no part may replace.
  std::vector<std::string> protected_files;
  /// The same of files that the job writes beside the output when that is in place.
  std::vector<std::string> later_files;
  /// The header that comes in front of the records, when the first bytes come.
  std::function<std::span<const std::byte>()> header;
  /// Bytes of all records, once the first of them comes; nothing if they are not known by then.
  std::function<std::optional<std::uint64_t>()> record_bytes;
};

class PartsOutput final : public Output {
 public:
  /// Throws Error if the folder of the parts is none that files can be made in, and for PartNames. `names` may be null.
  PartsOutput(FileSystem& files, PartsContext context, ScratchSpace& scratch, TemporaryNames* names);

  /// Whole records, and in front of the first of them the header.
  void write(std::span<const std::byte> bytes) override;
  /// Throws Error if there is no room for so many bytes.
  void expect(std::uint64_t bytes) override;
  void write_around_cache() override { around_cache_ = true; }
  void finish() override;

 private:
  void begin_output();
  void cut_up(std::uint64_t record_bytes);
  std::span<const std::byte> behind_header(std::span<const std::byte> bytes);
  void distribute(PartRecords records);
  void begin_part(const PartRecords& records);
  std::string path_of_value(const PartRecords& records);
  void refuse_other_file(const std::string& path);
  std::unique_ptr<Output> begin_file(const std::string& path);
  template <class Call>
  auto naming_values(Call call) const;
  [[noreturn]] void refuse_same_file(const SameFileError& error) const;
  void append(const PartRecords& records);
  void release_waiting();
  void end_part();
  void finish_parts();
  void write_manifest(Output& manifest);

  FileSystem& files_;
  PartsContext context_;
  PartNames names_;
  Layout layout_;
  std::unique_ptr<PartKeys> group_keys_;  // that decide where parts end; null if none do
  std::unique_ptr<PartKeys> list_keys_;   // for the manifest; null if it has none
  FileSet set_;
  bool has_begun_ = false;
  bool around_cache_ = false;
  bool all_waits_ = false;  // until the size of the output is known
  bool is_packed_;
  std::vector<std::byte> header_;
  std::size_t header_left_ = 0;  // bytes of it that are still to come
  FramedRecords frames_;         // if records are framed
  WaitingRecords waiting_;
  std::unique_ptr<PartCuts> cuts_;
  std::unique_ptr<Output> part_;  // null between two parts
  std::uint64_t part_count_ = 0;
  std::uint64_t share_bytes_ = 0;                                      // of each part, if that is known
  std::optional<PartList> list_;                                       // for the manifest, if there is one
  PartSummary summary_;                                                // of the current part, if there is a list
  std::set<std::pair<std::uint64_t, std::uint64_t>> protected_files_;  // devices and inodes
  std::unordered_map<std::string, bool> named_strings_;                // paths of values of JSON: whether of a string
};

}  // namespace sortie
