#include "pipeline/runs/kept_runs.hpp"

#include <string>
#include <utility>

#include <sortie/file_error.hpp>

#include "pipeline/checkpoint/checkpoint_error.hpp"
#include "run/run_file.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

void require_size(const KeptRunSource& source, std::uint64_t file_bytes) {
  const std::unique_ptr<File> file = source.open();
  if (!file) throw Error("its file is missing");
  if (file->size() != file_bytes) throw Error("its file has another size");
}

}  // namespace

RunPlace::Room KeptRuns::make_room(std::uint64_t) {
  Checkpoint::NewRun run = checkpoint_.create_run();
  auto usage = std::make_shared<RunUsage>(usage_, observer_);
  auto storage =
      std::make_shared<KeptRunStorage>(std::move(run.file), checkpoint_.source_of(run.identity), open_files_, usage);
  return {run.identity, std::move(storage), std::move(usage), {}};
}

Run KeptRuns::open_run(const KeptRun& kept, const RecordOrder& order) {
  const RunIdentity identity = checkpoint_.identity_of(kept.number);
  const KeptRunSource source = checkpoint_.source_of(identity);
  require_size(source, kept.file_bytes);
  auto usage = std::make_shared<RunUsage>(usage_, observer_);
  usage->grow(kept.file_bytes);
  RunFile found = open_stored_run(std::make_shared<KeptRunStorage>(source, open_files_, usage), kept.file_bytes);
  const bool is_the_one =
      found.header == make_run_header(order, identity) && found.index_checksum == kept.index_checksum;
  if (!is_the_one) throw Error("its file is another run");
  found.run.meter = std::move(usage);
  return std::move(found.run);
}

TakenRuns KeptRuns::take_over(const RecordOrder& order) {
  TakenRuns taken;
  std::uint64_t records = 0;
  for (const KeptRun& kept : checkpoint_.runs()) {
    try {
      taken.runs.push_back(open_run(kept, order));
    } catch (const FileError&) {
      throw;  // the system refuses something: the runs may well be intact
    } catch (const Error& error) {
      refuse_damaged(checkpoint_.place(), "run " + std::to_string(kept.number) + ": " + error.what());
    }
    taken.dropped += kept.dropped;
    records += taken.runs.back().record_count + kept.dropped.records;
  }
  if (records != checkpoint_.end().totals.records) {
    refuse_damaged(checkpoint_.place(), "its runs do not hold as many records as they were made of");
  }
  return taken;
}

}  // namespace sortie
