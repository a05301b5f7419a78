#include "pipeline/setup/report_files.hpp"

#include <new>
#include <span>

#include <sortie/error.hpp>

#include "io/output/open_output.hpp"
#include "io/output/stream_output.hpp"

namespace sortie {

std::unique_ptr<Output> open_report(FileSystem& files, const std::string& path, const SortOptions& options) {
  if (path.empty()) return nullptr;
  return std::make_unique<ReportOutput>(open_output(files, path, kNotPacked, options.temporary_names));
}

ReportFiles::ReportFiles(FileSystem& files, const SortOptions& options)
    : statistics_(open_report(files, options.stats_json_path, options)),
      page_(open_report(files, options.report_path, options)) {}

const PageContext& ReportFiles::value_of(const std::optional<PageContext>& page) {
  if (!page) throw std::bad_alloc();
  return *page;
}

// `text_of` makes the text; the error names `what` if memory does not suffice for it.
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
