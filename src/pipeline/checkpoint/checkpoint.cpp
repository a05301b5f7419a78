#include "pipeline/checkpoint/checkpoint.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/random_bits.hpp"
#include "pipeline/checkpoint/checkpoint_files.hpp"
#include "run/run_file.hpp"
#include "run/run_format.hpp"

namespace sortie {
namespace {

/// More than any real sort needs: a longer manifest is refused as damaged.
constexpr std::uint64_t kLongestManifestBytes = 256 << 20;

std::unique_ptr<PrivateDirectory> open_directory(FileSystem& files, const std::string& path) {
  auto directory = files.open_private_directory(path);
  if (!directory) refuse_checkpoint({path}, "its file system cannot lock it", "name one on a local disk");
  return directory;
}

}  // namespace

Checkpoint::Checkpoint(FileSystem& files, const std::string& directory, TemporaryNames* names)
    : names_(names),
      directory_name_(names, directory),
      directory_(open_directory(files, directory)),
      location_{directory_->path(), !std::ranges::all_of(directory_->names(), is_checkpoint_name)},
      made_directory_(directory_->is_new()) {
  manifest_file_ = directory_->open(kManifestName);
  if (!manifest_file_) return;
  read_manifest();
  made_directory_ = manifest_->header().made_directory;
}

Checkpoint::~Checkpoint() {
  if (keeps_runs_ || !(is_begun_ || directory_->is_new())) return;
  try {
    remove_all();
  } catch (const std::exception&) {
    // Leftovers do no harm: the next sort in this directory removes them.
  }
}

std::string Checkpoint::name_of(const KeptRun& run) const { return run_name(identity_of(run.number)); }

void Checkpoint::read_manifest() {
  const std::uint64_t bytes = std::min(manifest_file_->size(), kLongestManifestBytes);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  text.resize(manifest_file_->read_at(0, std::as_writable_bytes(std::span(text))));
  manifest_ = Manifest::parse(text, location_);
  if (bytes == kLongestManifestBytes) refuse_damaged(location_, "its manifest is too long");
}

std::optional<RandomSeed> Checkpoint::kept_seed() const {
  return manifest_ ? std::optional(manifest_->header().seed) : std::nullopt;
}

void Checkpoint::begin(const JobIdentity& identity, const RandomSeed& seed) {
  require_same_job(identity);
  is_begun_ = true;
  keeps_runs_ = !runs().empty();
  for (const KeptRun& run : runs()) add_own(name_of(run));
  if (keeps_runs_) next_number_ = manifest_->next_number();
  remove_leftovers();
  if (!keeps_runs_) return begin_anew(identity, seed);
  // A power cut may have left part of a line. It is cut off before the next line is written.
  manifest_file_->truncate(manifest_->text_bytes());
  manifest_file_->sync();
}

// A manifest that lists no run may belong to any job. It names the job of the run files, so their removal is made
// durable before the manifest is removed.
void Checkpoint::begin_anew(const JobIdentity& identity, const RandomSeed& seed) {
  if (manifest_) {
    directory_->sync();
    directory_->remove(kManifestName);
    manifest_.reset();
  }
  next_number_ = 0;
  write_manifest({random_bits(), made_directory_, seed, identity});
}

std::span<const KeptRun> Checkpoint::runs() const {
  return manifest_ ? std::span<const KeptRun>(manifest_->runs()) : std::span<const KeptRun>();
}

void Checkpoint::require_same_job(const JobIdentity& identity) const {
  if (runs().empty()) return;
  const JobIdentity& kept = manifest_->header().identity;
  const std::string remedy = (location_.holds_other_files ? "" : "name another, or ") + remedy_to_begin_anew(location_);
  if (kept.options != identity.options) {
    refuse_checkpoint(location_, "it is of a sort with other options or in another locale", remedy);
  }
  if (kept.inputs != identity.inputs) {
    refuse_checkpoint(location_, "it is of a sort of other inputs, or they have been changed since", remedy);
  }
}

// The manifest gets its name only when all of it is durable: it is either whole or absent.
void Checkpoint::write_manifest(const ManifestHeader& header) {
  Manifest manifest(header);
  const std::string line = manifest.header_line();
  const std::string new_name = new_manifest_name(header.job_id);
  auto file = create_own(new_name);
  file->write_at(0, std::as_bytes(std::span(line)));
  file->sync();
  manifest_name_.emplace(names_, path_of(kManifestName));
  directory_->rename(new_name, kManifestName);
  own_names_.erase(new_name);
  manifest_ = std::move(manifest);
  manifest_file_ = std::move(file);
  directory_->sync();
}

KeptRunSource Checkpoint::source_of(const RunIdentity& run) const {
  const auto open = [directory = directory_.get(), name = run_name(run)] { return directory->open(name); };
  return {path_of(run_name(run)), open, remedy_to_begin_anew(location_)};
}

Checkpoint::NewRun Checkpoint::create_run() {
  const RunIdentity identity = identity_of(next_number_++);
  return {identity, create_own(run_name(identity))};
}

void Checkpoint::add_own(const std::string& name) {
  const std::scoped_lock lock(own_names_mutex_);
  own_names_.try_emplace(name, names_, path_of(name));
}

std::unique_ptr<File> Checkpoint::create_own(const std::string& name) {
  add_own(name);
  try {
    return directory_->create(name);
  } catch (...) {
    const std::scoped_lock lock(own_names_mutex_);
    own_names_.erase(name);
    throw;
  }
}

KeptRun Checkpoint::describe(const Run& run, const RecordTotals& dropped) {
  return {run.identity.run_number, run.stored_bytes, read_index_checksum(*run.storage, run.stored_bytes), dropped};
}

void Checkpoint::add(const KeptRun& run, const InputMark& end) {
  append_durably(manifest_->add_run(run, end));
  keeps_runs_ = true;
}

void Checkpoint::replace(std::size_t first, std::size_t count, KeptRun run) {
  const auto begin = manifest_->runs().begin() + static_cast<std::ptrdiff_t>(first);
  const std::vector<KeptRun> replaced(begin, begin + static_cast<std::ptrdiff_t>(count));
  for (const KeptRun& old : replaced) run.dropped += old.dropped;
  append_durably(manifest_->replace_runs(first, count, run));
  for (const KeptRun& old : replaced) remove_own(name_of(old));
}

// `line` is the last line of the manifest. A run's file name is durable before the run is listed, and each line before
// the next is written: only the last line can be cut short.
void Checkpoint::append_durably(const std::string& line) {
  directory_->sync();
  manifest_file_->write_at(manifest_->text_bytes() - line.size(), std::as_bytes(std::span(line)));
  manifest_file_->sync();
}

// Removes unlisted files that an earlier attempt left unfinished. A file that may be something else stays, and its run
// number is not used again.
void Checkpoint::remove_leftovers() {
  for (const std::string& name : directory_->names()) {
    if (own_names_.contains(name)) continue;
    const std::optional<RunIdentity> run = parse_run_name(name);
    const bool is_of_job = run && manifest_ && run->job_id == manifest_->header().job_id;
    if (is_of_job) next_number_ = std::max<std::uint64_t>(next_number_, run->run_number + 1);
    const bool is_left =
        is_of_job ? is_left_of_run(*directory_, name, *run) : is_left_of_new_manifest(*directory_, name);
    if (is_left && !directory_->remove(name)) add_own(name);  // remove_all() tries again
  }
}

bool Checkpoint::remove_own(const std::string& name) noexcept {
  if (!directory_->remove(name)) return false;
  const std::scoped_lock lock(own_names_mutex_);
  own_names_.erase(name);
  return true;
}

void Checkpoint::add_file(const std::string& name, std::string_view contents) {
  const std::unique_ptr<File> file = create_own(name);
  file->write_at(0, std::as_bytes(std::span(contents)));
  file->sync();
  directory_->sync();
}

// From the first line on nothing is removed any more, whatever fails.
void Checkpoint::leave_to_caller() {
  keeps_runs_ = true;
  own_names_.clear();
  manifest_file_.reset();
  if (!directory_->remove(kManifestName)) {
    throw Error(quote_path(directory() + "/" + kManifestName) +
                " cannot be removed; remove its directory, and give the command again");
  }
  directory_->sync();
}

std::string Checkpoint::finish() noexcept {
  keeps_runs_ = false;
  is_begun_ = false;
  try {
    try {
      remove_all();
      return {};
    } catch (const Error& error) {
      return "checkpoint " + quote_word(directory()) + " stays: " + error.what();
    }
  } catch (const std::exception&) {
    is_begun_ = true;  // no memory, or none for the message: what is left is removed when there is more
    return {};
  }
}

// The manifest names the job of the run files, so it is removed last. But it must not list a run that is gone, or the
// same command would report it missing: its list is cut off first. Throws Error that says why anything stays.
void Checkpoint::remove_all() {
  if (manifest_file_) unlist_runs();
  while (!own_names_.empty()) {
    const std::string name = own_names_.begin()->first;
    if (!remove_own(name)) throw Error(quote_word(name) + " cannot be removed");
  }
  if (manifest_file_) {
    directory_->sync();
    manifest_file_.reset();
    manifest_.reset();
    if (!directory_->remove(kManifestName)) throw Error(quote_word(kManifestName) + " cannot be removed");
  }
  if (!made_directory_) return;
  const std::vector<std::string> names = directory_->names();
  if (!names.empty()) throw Error("it holds " + quote_word(names.front()) + ", which the sort did not make");
  directory_->remove_itself();
}

// Needs no free space on the disk.
void Checkpoint::unlist_runs() {
  manifest_ = Manifest(manifest_->header());
  manifest_file_->truncate(manifest_->text_bytes());
  manifest_file_->sync();
}

}  // namespace sortie
