#include "pipeline/runs/kept_runs.hpp"

#include <memory>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "pipeline/checkpoint/checkpoint_error.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

Run open_run(Checkpoint& checkpoint, const KeptRun& kept, RunStore& store, const RecordOrder& order) {
  std::unique_ptr<File> file = checkpoint.open_run(kept);
  if (file->size() != kept.file_bytes) throw Error("its file has another size");
  RunFile found = store.take_over(std::move(file), kept.file_bytes);
  const bool is_the_one = found.header == make_run_header(order, checkpoint.identity_of(kept.number)) &&
                          found.index_checksum == kept.index_checksum;
  if (!is_the_one) throw Error("its file is another run");
  return std::move(found.run);
}

}  // namespace

TakenRuns take_kept_runs(Checkpoint& checkpoint, RunStore& store, const RecordOrder& order) {
  TakenRuns taken;
  std::uint64_t records = 0;
  for (const KeptRun& kept : checkpoint.runs()) {
    try {
      taken.runs.push_back(open_run(checkpoint, kept, store, order));
    } catch (const Error& error) {
      refuse_checkpoint(checkpoint.directory(), "run " + std::to_string(kept.number) + ": " + error.what(),
                        remedy_to_begin_anew(checkpoint.directory()));
    }
    taken.dropped += kept.dropped;
    records += taken.runs.back().record_count + kept.dropped.records;
  }
  if (records != checkpoint.end().totals.records) {
    refuse_checkpoint(checkpoint.directory(), "its runs do not hold as many records as they were made of",
                      remedy_to_begin_anew(checkpoint.directory()));
  }
  return taken;
}

}  // namespace sortie
