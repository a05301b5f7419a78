// An output in several files. It takes the bytes that one output would hold, finds the ends of records in them again,
// and writes one part after another. At the end all parts and their manifest are put in place together. Made by
// open_job_output().
//
//   header, records ──▶ cuts ──▶ part ──▶ packed ──▶ file set ──▶ all in place
//              waiting records, while it is not known yet which part they belong to
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
#include "pipeline/parts/part_weights.hpp"
#include "pipeline/parts/waiting_records.hpp"

namespace sortie {

/// What is asked for, and the form in which records come.
struct PartsContext {
  Parts parts;
  std::string pattern;  ///< of their names
  Packing packing;
  ShownRecords shown;
  bool are_framed = false;  ///< they come as RecordForm::kFramed
  bool has_checksums = true;
  PartListHead list_head = {};  ///< of the manifest
  /// Files that no part may replace.
  std::vector<std::string> protected_files;
  /// The same for files that the job writes after the output is in place.
  std::vector<std::string> later_files;
  /// Called when the first bytes come: the header in front of the records.
  std::function<std::span<const std::byte>()> header;
  /// Called when the first bytes come: bytes of all records; nothing if unknown.
  std::function<std::optional<std::uint64_t>()> record_bytes;
};

class PartsOutput final : public Output {
 public:
  /// Throws Error if the folder of the parts is none that files can be made in, and for PartNames. `names` may be null.
  PartsOutput(FileSystem& files, PartsContext context, ScratchSpace& scratch, TemporaryNames* names);

  /// `bytes`: whole records, and the header in front of the first ones.
  void write(std::span<const std::byte> bytes) override;
  /// Throws Error if there is no room for so many bytes.
  void expect(std::uint64_t bytes) override;
  void write_around_cache() override { around_cache_ = true; }
  void finish() override;

 private:
  void begin_output();
  void cut_up(std::uint64_t record_bytes);
  std::unique_ptr<PartCuts> cuts_by_limit();
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
  std::optional<PartWeights> weights_;
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
  KeyText value_;                                                      // of the current part, with by_first_key
  std::uint64_t parts_of_value_ = 0;                                   // that have been begun
  std::uint64_t share_bytes_ = 0;                                      // of each part, if that is known
  std::optional<PartList> list_;                                       // for the manifest, if there is one
  PartSummary summary_;                                                // of the current part, if there is a list
  std::set<std::pair<std::uint64_t, std::uint64_t>> protected_files_;  // devices and inodes
  std::unordered_map<std::string, bool> named_strings_;                // paths of values of JSON: whether of a string
};

}  // namespace sortie
