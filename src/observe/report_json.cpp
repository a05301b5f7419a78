// The report for programs: --stats-json.
#include <nlohmann/json.hpp>

#include <sortie/report.hpp>

namespace sortie {
namespace {

using Json = nlohmann::ordered_json;

double rate(std::uint64_t bytes, double seconds) { return seconds > 0 ? static_cast<double>(bytes) / seconds : 0; }

Json resources_json(const std::vector<ResourceReport>& resources) {
  Json json = Json::array();
  for (const ResourceReport& resource : resources) {
    json.push_back({{"name", resource.name},
                    {"bytes", resource.bytes},
                    {"busy_seconds", resource.busy_seconds},
                    {"bytes_per_second", rate(resource.bytes, resource.busy_seconds)},
                    {"share", resource.share}});
  }
  return json;
}

Json phases_json(const std::vector<PhaseReport>& phases) {
  Json json = Json::array();
  for (const PhaseReport& phase : phases) {
    json.push_back({{"name", phase.name}, {"seconds", phase.seconds}, {"resources", resources_json(phase.resources)}});
  }
  return json;
}

Json stages_json(const std::vector<StageReport>& stages) {
  Json json = Json::array();
  for (const StageReport& stage : stages) {
    json.push_back({{"name", stage.name},
                    {"bytes", stage.bytes},
                    {"busy_seconds", stage.busy_seconds},
                    {"bytes_per_second", rate(stage.bytes, stage.busy_seconds)}});
  }
  return json;
}

}  // namespace

std::string to_json(const SortReport& report) {
  const Json json = {
      {"engine", report.engine},
      {"engine_reason", report.engine_reason},
      {"device_failure", report.device_failure},
      {"input_records", report.input_records},
      {"input_bytes", report.input_bytes},
      {"output_records", report.output_records},
      {"output_bytes", report.output_bytes},
      {"verified", report.verified},
      {"checksum", to_string(report.checksum)},
      {"runs", report.runs},
      {"runs_spilled", report.runs_spilled},
      {"runs_resumed", report.runs_resumed},
      {"merge_passes", report.merge_passes},
      {"windows", report.windows},
      {"run_bytes", report.run_bytes},
      {"stored_bytes", report.stored_bytes},
      {"compression_ratio", report.compression_ratio()},
      {"scratch_peak_bytes", report.scratch_peak_bytes},
      {"memory_budget_bytes", report.memory_budget_bytes},
      {"memory_peak_bytes", report.memory_peak_bytes},
      {"device_budget_bytes", report.device_budget_bytes},
      {"devices", report.devices},
      {"start_seconds", report.start_seconds},
      {"formation_seconds", report.formation_seconds},
      {"merge_seconds", report.merge_seconds},
      {"elapsed_seconds", report.elapsed_seconds},
      {"phases", phases_json(report.phases)},
      {"resources", resources_json(report.resources)},
      {"stages", stages_json(report.stages)},
  };
  return json.dump(2);
}

}  // namespace sortie
