#include "python/raise_errors.hpp"

#include <nanobind/nanobind.h>

#include <exception>
#include <string>
#include <utility>

#include <sortie/system_file_error.hpp>

#include "option/door.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

/// What the package's own file of errors makes of it.
template <class... Details>
nb::object error_object(const char* maker, const Error& error, Details&&... details) {
  const nb::object make = nb::module_::import_("sortie._errors").attr(maker);
  return make(text_object(message_of(error)), remedy_word(error.remedy()), std::forward<Details>(details)...);
}

void raise(const nb::object& error) { PyErr_SetObject(error.type().ptr(), error.ptr()); }

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const option::ArgumentError& error) {
    raise(error_object("ArgumentError", error));
  } catch (const SystemFileError& error) {
    raise(error_object("file_error", error, error.error_number(), text_object(error.path())));
  } catch (const Error& error) {
    raise(error_object("Error", error));
  }
}

}  // namespace

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
    case Remedy::kZone:
      return " with zone=";
    case Remedy::kSayQuoting:
      return ", with quote=\"csv\" or quote=\"none\"";
    case Remedy::kHeaderLines:
      return " with header_lines=N, of which the comment is the first record";
    case Remedy::kOther:
      return "";
  }
  return "";
}

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
    case Remedy::kSayQuoting:
      return "quoting";
    case Remedy::kZone:
      return "zone";
    case Remedy::kHeaderLines:
      return "header_lines";
    case Remedy::kOther:
      return nullptr;
  }
  return nullptr;
}

std::string message_of(const Error& error) { return std::string(error.what()) + argument_for(error.remedy()); }

void translate_errors() { nb::register_exception_translator(translate, nullptr); }

}  // namespace sortie::python
