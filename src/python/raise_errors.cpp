#include "python/raise_errors.hpp"

#include <nanobind/nanobind.h>

#include <exception>
#include <string>

#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// How Python's callers name what the last words of a message advise.
const char* argument_for(Remedy remedy) {
  switch (remedy) {
    case Remedy::kMoreMemory:
    case Remedy::kLessMemory:
      return " with memory=";
    case Remedy::kFewerThreads:
      return " with threads=";
    case Remedy::kOtherScratch:
      return " with scratch=";
    case Remedy::kCpuEngine:
      return " with engine=\"cpu\"";
    case Remedy::kYear:
      return " with year=";
    case Remedy::kQuoting:
      return " with quote=\"none\"";
    case Remedy::kOther:
      return "";
  }
  return "";
}

/// Error.remedy; null for none.
const char* remedy_word(Remedy remedy) {
  switch (remedy) {
    case Remedy::kMoreMemory:
      return "more_memory";
    case Remedy::kLessMemory:
      return "less_memory";
    case Remedy::kFewerThreads:
      return "fewer_threads";
    case Remedy::kOtherScratch:
      return "other_scratch";
    case Remedy::kCpuEngine:
      return "cpu_engine";
    case Remedy::kYear:
      return "year";
    case Remedy::kQuoting:
      return "quoting";
    case Remedy::kOther:
      return nullptr;
  }
  return nullptr;
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("sortie").attr("Error");
    const nb::object text = text_object(message_of(error));
    PyErr_SetObject(type.ptr(), type(text, remedy_word(error.remedy())).ptr());
  }
}

}  // namespace

std::string message_of(const Error& error) { return std::string(error.what()) + argument_for(error.remedy()); }

void translate_errors() { nb::register_exception_translator(translate, nullptr); }

}  // namespace sortie::python
