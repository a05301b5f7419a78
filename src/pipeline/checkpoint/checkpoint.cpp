#include "pipeline/checkpoint/checkpoint.hpp"

#include <algorithm>
#include <exception>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "pipeline/checkpoint/checkpoint_error.hpp"
#include "run/run_file.hpp"

namespace sortie {
namespace {

constexpr const char* kManifestName = "sortie-manifest";
constexpr const char* kNewManifestName = "sortie-manifest.new";
constexpr std::string_view kRunPrefix = "sortie-run-";
/// As many runs as nobody has: what is longer is no manifest.
constexpr std::uint64_t kLongestManifestBytes = 256 << 20;

bool is_ours(const std::string& name) {
  return name == kManifestName || name == kNewManifestName || name.starts_with(kRunPrefix);
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::unique_ptr<PrivateDirectory> open_directory(FileSystem& files, const std::string& path) {
  auto directory = files.open_private_directory(path);
  if (!directory) refuse_checkpoint(path, "its file system cannot lock it", "name one on a local disk");
  return directory;
}

std::uint64_t random_number() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 32) | device();
}

}  // namespace

Checkpoint::Checkpoint(FileSystem& files, const std::string& directory) : directory_(open_directory(files, directory)) {
  const std::vector<std::string> names = directory_->names();
  const auto foreign = std::ranges::find_if_not(names, is_ours);
  if (foreign != names.end()) {
    refuse_checkpoint(directory, "it holds " + quote_word(*foreign) + ", which is no part of one",
                      "name an empty directory, or one that does not exist");
  }
  if (contains(names, kManifestName)) read_manifest();
}

Checkpoint::~Checkpoint() {
  if (!keeps_runs_ && (is_begun_ || directory_->is_new())) remove_all();
}

std::string Checkpoint::name_of(std::uint64_t number) { return std::string(kRunPrefix) + std::to_string(number); }

void Checkpoint::read_manifest() {
  const std::unique_ptr<File> file = directory_->open(kManifestName);
  const std::uint64_t bytes = file->size();
  if (bytes > kLongestManifestBytes) {
    refuse_checkpoint(directory(), "its manifest is damaged", remedy_to_begin_anew(directory()));
  }
  std::string text(static_cast<std::size_t>(bytes), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  manifest_ = Manifest::parse(text, directory());
}

std::optional<RandomSeed> Checkpoint::kept_seed() const {
  return manifest_ ? std::optional(manifest_->header().seed) : std::nullopt;
}

void Checkpoint::begin(const JobIdentity& identity, const RandomSeed& seed) {
  require_same_job(identity);
  is_begun_ = true;
  remove_unlisted();
  if (!manifest_) return write_manifest({random_number(), directory_->is_new(), seed, identity});
  keeps_runs_ = !manifest_->runs().empty();
  manifest_file_ = directory_->open(kManifestName);
  // What a power cut left of a line must not follow the next one.
  manifest_file_->truncate(manifest_->text_bytes());
  manifest_file_->sync();
  next_number_ = manifest_->next_number();
}

std::span<const KeptRun> Checkpoint::runs() const {
  return manifest_ ? std::span<const KeptRun>(manifest_->runs()) : std::span<const KeptRun>();
}

void Checkpoint::require_same_job(const JobIdentity& identity) const {
  if (!manifest_) return;
  const JobIdentity& kept = manifest_->header().identity;
  const std::string remedy = "name another, or " + remedy_to_begin_anew(directory());
  if (kept.options != identity.options) {
    refuse_checkpoint(directory(), "it is of a sort with other options or in another locale", remedy);
  }
  if (kept.inputs != identity.inputs) {
    refuse_checkpoint(directory(), "it is of a sort of other inputs, or they have been changed since", remedy);
  }
}

// Under another name until all of it is durable: a manifest is whole, or it is not there.
void Checkpoint::write_manifest(const ManifestHeader& header) {
  Manifest manifest(header);
  const std::string line = manifest.header_line();
  auto file = directory_->create(kNewManifestName);
  file->write_at(0, std::as_bytes(std::span(line)));
  file->sync();
  directory_->rename(kNewManifestName, kManifestName);
  manifest_ = std::move(manifest);
  manifest_file_ = std::move(file);
  directory_->sync();
}

Checkpoint::NewRun Checkpoint::create_run() {
  const std::uint64_t number = next_number_++;
  return {identity_of(number), directory_->create(name_of(number))};
}

KeptRun Checkpoint::describe(const Run& run, const RecordTotals& dropped) {
  run.storage->sync();
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
  for (const KeptRun& old : replaced) directory_->remove(name_of(old.number));
}

// `line`: the manifest's last one. The names of runs are durable before one is listed, and each line before the next is
// written: only the last one can be cut short.
void Checkpoint::append_durably(const std::string& line) {
  directory_->sync();
  manifest_file_->write_at(manifest_->text_bytes() - line.size(), std::as_bytes(std::span(line)));
  manifest_file_->sync();
}

// Were runs gone while the manifest is still there, the same command would find them missing: so it goes first.
void Checkpoint::finish() noexcept {
  keeps_runs_ = false;
  try {
    directory_->remove(kManifestName);
    directory_->sync();
  } catch (const std::exception&) {
    // A power cut now could bring the manifest back. The output is there.
  }
  remove_all();
}

void Checkpoint::remove_unlisted() noexcept {
  try {
    std::set<std::string> listed;
    if (manifest_) listed.insert(kManifestName);
    if (manifest_) {
      for (const KeptRun& run : manifest_->runs()) listed.insert(name_of(run.number));
    }
    for (const std::string& name : directory_->names()) {
      if (!listed.contains(name)) directory_->remove(name);
    }
  } catch (const std::exception&) {
    // What is left takes room, and does no harm: a name that is needed again is found to be taken.
  }
}

void Checkpoint::remove_all() noexcept {
  const bool made = manifest_ ? manifest_->header().made_directory : directory_->is_new();
  manifest_.reset();
  manifest_file_.reset();
  remove_unlisted();
  if (made) directory_->remove_itself();
  is_begun_ = false;
}

}  // namespace sortie
