#include "pipeline/report_files.hpp"

#include <new>
#include <span>

#include <sortie/error.hpp>

#include "pipeline/setup/sort_files.hpp"

namespace sortie {

ReportFiles::ReportFiles(FileSystem& files, const SortOptions& options)
    : statistics_(open_report(files, options.stats_json_path, options)),
      page_(open_report(files, options.report_path, options)) {}

const PageFacts& ReportFiles::value_of(const std::optional<PageFacts>& page) {
  if (!page) throw std::bad_alloc();
  return *page;
}

// `text_of` makes the text; `what` is missing without memory for it.
void ReportFiles::write(Output& output, const std::string& what, const std::function<std::string()>& text_of) {
  const Error no_memory("memory exhausted: no " + what + "; the output is complete");
  try {
    const std::string text = text_of();
    output.write(std::as_bytes(std::span(text)));
    output.finish();
  } catch (const std::bad_alloc&) {
    throw no_memory;
  } catch (const Error& error) {
    throw Error(std::string(error.what()) + "; the output is complete");
  }
}

}  // namespace sortie
