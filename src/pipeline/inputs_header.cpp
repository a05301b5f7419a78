// The public function that finds the header of all inputs of a sort by several processes.
#include <algorithm>
#include <string>

#include <sortie/error.hpp>
#include <sortie/shard.hpp>

#include "observe/assumption_words.hpp"
#include "observe/assumptions.hpp"
#include "pipeline/input/input_opener.hpp"
#include "pipeline/job_site.hpp"
#include "pipeline/public_call.hpp"

namespace sortie {

// Each input is opened as a sort opens it, and nothing of it is read behind its header.
InputsHeader find_inputs_header(const SortOptions& options) try {
  const JobSite site(options);
  if (options.inputs.empty() || std::ranges::count(options.inputs, "-") > 0) {
    throw Error("several processes find a header in files that have names: name one");
  }
  InputOpener opener(site.files(), options);
  opener.find_header(options.inputs);
  for (const std::string& path : options.inputs) opener.open(path);
  Assumptions assumptions;
  opener.report_headers(assumptions);
  const auto header = opener.header();
  InputsHeader found{{reinterpret_cast<const char*>(header.data()), header.size()}, assumptions.words()};
  refuse_if_strict(options, assumptions.list());
  return found;
} catch (...) {
  rethrow_as_error();
}

}  // namespace sortie
