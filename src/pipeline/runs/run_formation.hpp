// Phase one: reads the input into the engines' memory, run by run, and passes the sorted runs on. Reading a run and
// draining the one before overlap if the engine has room for both.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/report.hpp>

#include "engine/engine.hpp"
#include "observe/observer.hpp"
#include "pipeline/checkpoint/run_journal.hpp"
#include "pipeline/input/piece_source.hpp"
#include "pipeline/input/whole_input.hpp"
#include "pipeline/runs/run_store.hpp"

namespace sortie {

/// A record fits no run of this engine.
class RecordTooLong : public Error {
 public:
  using Error::Error;
};

struct FormedRuns {
  std::vector<Run> runs;      ///< in input order; empty if all fitted one run
  bool direct = false;        ///< the only run went straight to the consumer
  std::uint64_t spilled = 0;  ///< how many of the runs are files
  RecordTotals dropped;       ///< duplicates dropped on the way into runs

  /// Fills in what the report says of runs.
  void describe(SortReport& report) const;
};

/// One former per engine: runs go to them in turn. `whole`: the same records in one piece, where a former can take them
/// so; null if that must not be tried. It must be destroyed before the formers. If everything fits one run, its parts
/// go to `consume_only_run` and no run is stored, unless that is empty. With `journal`, runs are listed in it, and it
/// may list runs of an earlier attempt. Throws RecordTooLong for a record that fits no run.
FormedRuns form_runs(PieceSource& source, WholeInput* whole, std::span<const std::unique_ptr<RunFormer>> formers,
                     RunStore& store, const PartConsumer& consume_only_run, Observer& observer,
                     RunJournal* journal = nullptr);

}  // namespace sortie
