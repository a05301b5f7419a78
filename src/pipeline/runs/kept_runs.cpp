#include "pipeline/runs/kept_runs.hpp"

#include <memory>
#include <string>
#include <utility>

#include <sortie/file_error.hpp>

#include "pipeline/checkpoint/checkpoint_error.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

void require_size(const KeptRunSource& source, std::uint64_t file_bytes) {
  const std::unique_ptr<File> file = source.open();
  if (!file) throw Error("its file is missing");
  if (file->size() != file_bytes) throw Error("its file has another size");
}

Run open_run(Checkpoint& checkpoint, const KeptRun& kept, RunStore& store, const RecordOrder& order) {
  const RunIdentity identity = checkpoint.identity_of(kept.number);
  require_size(checkpoint.source_of(identity), kept.file_bytes);
  RunFile found = store.take_over(identity, kept.file_bytes);
  const bool is_the_one =
      found.header == make_run_header(order, identity) && found.index_checksum == kept.index_checksum;
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
    } catch (const FileError&) {
      throw;  // the system refuses something: the runs may well be intact
    } catch (const Error& error) {
      refuse_damaged(checkpoint.place(), "run " + std::to_string(kept.number) + ": " + error.what());
    }
    taken.dropped += kept.dropped;
    records += taken.runs.back().record_count + kept.dropped.records;
  }
  if (records != checkpoint.end().totals.records) {
    refuse_damaged(checkpoint.place(), "its runs do not hold as many records as they were made of");
  }
  return taken;
}

}  // namespace sortie
