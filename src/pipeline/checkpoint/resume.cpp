#include "pipeline/checkpoint/resume.hpp"

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/size.hpp"
#include "io/paths/paths.hpp"
#include "pipeline/checkpoint/job_identity.hpp"

namespace sortie {
namespace {

void refuse_what_cannot_go_on(FileSystem& files, const SortOptions& options) {
  if (options.compress_program) {
    throw Error("a checkpoint's runs are compressed by Sortie itself: leave the compress program " +
                quote_word(*options.compress_program) + " out");
  }
  if (!options.scratch_directories.empty()) {
    throw Error("what a checkpoint keeps lies in its own directory: leave the scratch directories out");
  }
  if (options.source_identity.empty() && !inputs_can_be_read_again(files, options)) {
    throw Error("a checkpoint needs inputs that can be read again: name files, no pipes");
  }
}

}  // namespace

std::unique_ptr<Checkpoint> open_checkpoint(FileSystem& files, const SortOptions& options) {
  if (options.checkpoint_directory.empty()) return nullptr;
  refuse_what_cannot_go_on(files, options);
  return std::make_unique<Checkpoint>(files, options.checkpoint_directory);
}

std::unique_ptr<Checkpoint> look_at_checkpoint(FileSystem& files, const SortOptions& options) {
  const bool there_is_none = options.checkpoint_directory.empty() ||
                             files.status(options.checkpoint_directory).kind == FileStatus::Kind::kMissing;
  if (!there_is_none) return open_checkpoint(files, options);
  if (!options.checkpoint_directory.empty()) refuse_what_cannot_go_on(files, options);
  return nullptr;
}

std::string describe_checkpoint(const Checkpoint* checkpoint, FileSystem& files, const SortSpec& spec) {
  const std::string& directory = spec.options.checkpoint_directory;
  if (directory.empty()) return {};
  if (checkpoint != nullptr) checkpoint->require_same_job(identify_job(files, spec));
  const std::size_t runs = checkpoint != nullptr ? checkpoint->runs().size() : 0;
  std::string text = "checkpoint    " + std::to_string(runs) + " runs to take over from " + quote_word(directory);
  if (runs > 0) text += ", of the first " + format_size(checkpoint->end().totals.bytes);
  return text + "\n";
}

std::vector<std::string> run_directories(const Checkpoint* checkpoint, const SortOptions& options) {
  if (checkpoint != nullptr) return {checkpoint->directory()};
  if (options.checkpoint_directory.empty()) return options.scratch_directories;
  return {without_end_slashes(directory_of(without_end_slashes(options.checkpoint_directory)))};
}

std::optional<RandomSeed> kept_seed(FileSystem& files, const SortOptions& options) {
  const auto checkpoint = needs_seed(options.format) ? look_at_checkpoint(files, options) : nullptr;
  return checkpoint ? checkpoint->kept_seed() : std::nullopt;
}

}  // namespace sortie
