#include "observe/advice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "observe/busy_time.hpp"
#include "observe/markup.hpp"

namespace sortie {
namespace {

/// Below this nothing is worth a change.
constexpr double kLeastSeconds = 0.05;
/// Threads that wait for memory or for one another now and then leave a little of the processors.
constexpr double kProcessorsAreBusy = 0.85;
constexpr double kIsBottleneck = 0.5;
/// Beyond this a thread waits for a processor now and then.
constexpr double kMachineIsFull = 0.9;

struct Candidate {
  Resource resource;
  double share = 0;
};

/// Writing and reading of scratch space are work of the same disks. Both may go on at once, so only the larger part of
/// each phase surely counts.
double scratch_seconds(const std::vector<PhaseReport>& phases) {
  double seconds = 0;
  for (const PhaseReport& phase : phases) {
    double most = 0;
    for (const ResourceReport& resource : phase.resources) {
      const auto known = resource_named(resource.name);
      if (known == Resource::kScratchWriting || known == Resource::kScratchReading) {
        most = std::max(most, resource.busy_seconds);
      }
    }
    seconds += most;
  }
  return seconds;
}

/// What each of several sorts needs the disks for may go on at once, too.
double scratch_share(const WorkReport& report) {
  if (report.elapsed_seconds <= 0) return 0;
  double seconds = scratch_seconds(report.phases);
  for (const SortPhases& sort : report.sorts) seconds = std::max(seconds, scratch_seconds(sort.phases));
  return std::min(1.0, seconds / report.elapsed_seconds);
}

std::optional<Candidate> busiest(const WorkReport& report) {
  std::optional<Candidate> most;
  for (const ResourceReport& resource : report.resources) {
    const std::optional<Resource> known = resource_named(resource.name);
    if (known && (!most || resource.share > most->share)) most = Candidate{*known, resource.share};
  }
  const double scratch = scratch_share(report);
  if (most && scratch > most->share) most = Candidate{Resource::kScratchWriting, scratch};
  return most;
}

/// What is said of a resource that is busy, and what helps; no help: threads do.
struct Words {
  const char* subject;
  const char* help = nullptr;
};

/// In the order of Resource.
constexpr std::array<Words, kResourceCount> kWords = {{
    {"Starting the GPU takes", "The CPU engine starts at once."},
    {"The disk of the input is busy",
     "A faster disk for the input, or an input that is packed as .zst: no option makes a disk faster."},
    {"Making keys goes on"},
    {"The link to the GPU is busy", "More GPUs, each with a link of its own, or the CPU engine."},
    {"The GPU is busy", "A faster GPU, or more of them."},
    {"The link from the GPU is busy", "More GPUs, each with a link of its own, or the CPU engine."},
    {"Sorting goes on"},
    {"Copying and unpacking runs goes on"},
    {"Compressing runs goes on", "Scratch space that is not compressed, if its disk is fast and has room."},
    {"The disk of the scratch space is busy"},
    {"The disk of the scratch space is busy"},
    {"Merging goes on"},
    {"Checking what is written goes on"},
    {"Joining, which one thread does, goes on", "Fewer columns in the output, or a faster processor."},
    {"The disk of the output is busy",
     "A faster disk for the output, or one that is not that of the input or of the scratch space."},
}};

const Words& words_about(Resource resource) { return kWords[static_cast<std::size_t>(resource)]; }

std::string subject(Resource resource, const SortConditions& conditions) {
  const std::string job = std::string("The ") + conditions.job;
  const bool is_output = resource == Resource::kOutputWriting;
  if (resource == Resource::kReading && conditions.reads_stream) return job + " waits for its input";
  if (is_output && conditions.packs_output) return "Packing and writing the output goes on";
  if (is_output && conditions.writes_stream) return job + " waits for the reader of its output";
  return words_about(resource).subject;
}

std::string help_for_scratch(const WorkReport& report, const SortConditions& conditions) {
  if (report.merge_passes > 1) {
    return "More memory: the runs went through the scratch space in " + std::to_string(report.merge_passes) +
           " passes, and one would do.";
  }
  if (conditions.scratch_directories < 2)
    return "Another directory for scratch space, on a second disk, or more memory, so that less is kept there.";
  return "A further directory for scratch space, on a disk of its own, or more memory, so that less is kept there.";
}

std::string help_for_threads(const SortConditions& conditions) {
  if (conditions.threads < conditions.processors) {
    return "More threads: " + std::to_string(conditions.processors) + " use all processors.";
  }
  return "More or faster processors.";
}

std::string help_with_stream(const char* position, const SortConditions& conditions) {
  return std::string("A faster program ") + position + " the " + conditions.job + ", or a file in place of the pipe.";
}

std::string help_for(Resource resource, const WorkReport& report, const SortConditions& conditions) {
  const bool is_output = resource == Resource::kOutputWriting;
  if (is_output && conditions.packs_output) return "A lower level of packing, or an output that ends in .zst.";
  if (is_output && conditions.writes_stream) return help_with_stream("behind", conditions);
  if (resource == Resource::kReading && conditions.reads_stream) return help_with_stream("in front of", conditions);
  if (resource == Resource::kScratchWriting || resource == Resource::kScratchReading)
    return help_for_scratch(report, conditions);
  if (resource == Resource::kMerging && report.merge_passes > 1)
    return "More memory, for fewer than " + std::to_string(report.merge_passes) + " passes.";
  if (const char* const help = words_about(resource).help) return help;
  const std::string keys =
      resource == Resource::kKeyMaking
          ? "Simpler keys: the order of bytes in place of a locale where it will do, and keys that end where they need "
            "to. "
          : "";
  return keys + help_for_threads(conditions);
}

/// How much of the processors that it could use the sort used, 0 to 1.
double processor_share(const WorkReport& report, const SortConditions& conditions, const ProcessorUse& use) {
  const double usable = report.elapsed_seconds * used_processors(conditions);
  return usable > 0 ? std::min(1.0, use.seconds / usable) : 0;
}

}  // namespace

unsigned used_processors(const SortConditions& conditions) {
  return std::max(1U, std::min(conditions.threads, conditions.processors));
}

Advice advise(const WorkReport& report, const SortConditions& conditions, const ProcessorUse& use) {
  const std::optional<Candidate> most = busiest(report);
  if (!most || report.elapsed_seconds < kLeastSeconds) {
    return {std::string("The ") + conditions.job + " was over in " + format_seconds(report.elapsed_seconds) + ".",
            "There is nothing to gain: most of it is opening and closing of files."};
  }
  const double processors = processor_share(report, conditions, use);
  if (processors >= kProcessorsAreBusy) {
    return {"The processors are busy " + percent(processors) + " of the time.", help_for_threads(conditions)};
  }
  const bool waits_for_processors =
      most->share < kIsBottleneck ||
      (kind_of(most->resource) == ResourceKind::kProcessors && most->share < kProcessorsAreBusy);
  if (use.machine_share >= kMachineIsFull && waits_for_processors) {
    return {"The processors of the machine are busy " + percent(use.machine_share) + " of the time, and this " +
                conditions.job + " had " + percent(processors) + " of what it could use: other programs have the rest.",
            std::string("Fewer programs beside the ") + conditions.job + "."};
  }
  if (most->share < kIsBottleneck && processors >= kIsBottleneck) {
    return {"The processors are busy " + percent(processors) + " of the time, nothing else more than " +
                percent(most->share) + ".",
            help_for_threads(conditions)};
  }
  if (most->share < kIsBottleneck) {
    return {"Nothing is busy more than " + percent(most->share) + " of the time: stages wait for one another.",
            report.runs_spilled > 0 ? "More memory, so that fewer runs are spilled and merged."
                                    : "No single option would help much."};
  }
  return {subject(most->resource, conditions) + " " + percent(most->share) + " of the time.",
          help_for(most->resource, report, conditions)};
}

}  // namespace sortie
