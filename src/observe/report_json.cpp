// The report for programs: --stats-json.
#include <nlohmann/json.hpp>

#include <sortie/report.hpp>

namespace sortie {

std::string to_json(const SortReport& report) {
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  for (const StageReport& stage : report.stages) {
    stages.push_back({{"name", stage.name}, {"bytes", stage.bytes}, {"busy_seconds", stage.busy_seconds}});
  }
  const nlohmann::ordered_json json = {
      {"engine", report.engine},
      {"input_records", report.input_records},
      {"input_bytes", report.input_bytes},
      {"output_records", report.output_records},
      {"output_bytes", report.output_bytes},
      {"verified", report.verified},
      {"checksum", to_string(report.checksum)},
      {"runs", report.runs},
      {"runs_spilled", report.runs_spilled},
      {"merge_passes", report.merge_passes},
      {"windows", report.windows},
      {"run_bytes", report.run_bytes},
      {"stored_bytes", report.stored_bytes},
      {"scratch_peak_bytes", report.scratch_peak_bytes},
      {"memory_budget_bytes", report.memory_budget_bytes},
      {"device_budget_bytes", report.device_budget_bytes},
      {"formation_seconds", report.formation_seconds},
      {"merge_seconds", report.merge_seconds},
      {"elapsed_seconds", report.elapsed_seconds},
      {"stages", stages},
  };
  return json.dump(2);
}

}  // namespace sortie
