// Where parts of an output end. Records come piece by piece; a cut says how many of them still belong to the part.
//
//   EqualBytes   a part for each share of the bytes      MostRecords   so many records
//   MostBytes    as many records as fit                  KeyGroups     the records with one key
//   MostWeight   the same by weights                     WithinGroups  cuts among records with one key
//
// Records with equal keys are kept together by GroupsTogether, which moves what another one says behind the end of
// their group, and by MostBytesOfGroups, which ends a part in front of a group that does not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "pipeline/parts/part_keys.hpp"
#include "pipeline/parts/part_records.hpp"
#include "pipeline/parts/part_weights.hpp"

namespace sortie {

struct PartTake {
  std::size_t bytes = 0;  ///< at the beginning of the records; they belong to the part
  bool ends = false;      ///< the part ends behind them
  bool holds = false;     ///< they wait until it is known whether they belong to the part or to the next one
  bool releases = false;  ///< what waits belongs to the part, or, if that ends here, to the next one
};

class PartCuts {
 public:
  virtual ~PartCuts() = default;

  /// The next records, at least one. What is not taken must come again.
  virtual PartTake take(const PartRecords& records) = 0;
};

/// Says where parts end that are not to grow.
class PartLimits : public PartCuts {
 public:
  /// Counts records into the part whose end take() has put in front of them.
  virtual void add_behind_end(const PartRecords& records) = 0;
};

/// `total_bytes`: of all records.
std::unique_ptr<PartLimits> limit_equal_bytes(std::uint64_t parts, std::uint64_t total_bytes);
std::unique_ptr<PartLimits> limit_records(std::uint64_t most_records);
/// `header_bytes` are in front of each part.
std::unique_ptr<PartCuts> limit_bytes(std::uint64_t most_bytes, std::uint64_t header_bytes);

/// `weights` must outlive it.
std::unique_ptr<PartCuts> limit_weight(const PartWeights& weights, std::uint64_t most_weight);

/// `keys` must outlive what they give.
std::unique_ptr<PartCuts> cut_by_key(PartKeys& keys);
/// `make_cuts`: cuts the records with one key; it must make no parts that wait.
std::unique_ptr<PartCuts> cut_within_keys(PartKeys& keys, std::function<std::unique_ptr<PartCuts>()> make_cuts);
std::unique_ptr<PartCuts> keep_groups_together(std::unique_ptr<PartLimits> limits, PartKeys& keys);
std::unique_ptr<PartCuts> limit_bytes_of_groups(PartKeys& keys, std::uint64_t most_bytes, std::uint64_t header_bytes);

}  // namespace sortie
