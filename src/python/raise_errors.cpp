#include "python/raise_errors.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include <sortie/system_file_error.hpp>
#include <sortie/table_sorter.hpp>

#include "option/door.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

struct RemedyWords {
  Remedy remedy;
  const char* word;
  const char* advice;
};

constexpr RemedyWords kRemedies[] = {
    {Remedy::kMoreMemory, "more_memory", " with memory="},
    {Remedy::kLessMemory, "less_memory", " with memory="},
    {Remedy::kFewerThreads, "fewer_threads", " with threads="},
    {Remedy::kOtherScratch, "other_scratch", " with scratch="},
    {Remedy::kCpuEngine, "cpu_engine", " with engine=\"cpu\""},
    {Remedy::kYear, "year", " with year="},
    {Remedy::kQuoting, "quoting", " with quote=\"none\""},
    {Remedy::kSayQuoting, "quoting", ", with quote=\"csv\" or quote=\"none\""},
    {Remedy::kZone, "zone", " with zone="},
    {Remedy::kHeaderLines, "header_lines", " with header_lines=N, of which the comment is the first record"},
    {Remedy::kOther, nullptr, ""},
};

const RemedyWords& words_of(Remedy remedy) {
  const RemedyWords* const found = std::ranges::find(kRemedies, remedy, &RemedyWords::remedy);
  return found == std::end(kRemedies) ? *std::prev(found) : *found;
}

/// Raised as TypeError.
class TypeRefusal : public Error {
 public:
  using Error::Error;
};

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
  } catch (const KeyError& error) {
    raise(error_object("ArgumentError", error));
  } catch (const TypeRefusal& error) {
    raise(error_object("ArgumentTypeError", error));
  } catch (const MemoryError& error) {
    raise(error_object("OutOfMemoryError", error));
  } catch (const std::bad_alloc&) {
    raise(error_object("OutOfMemoryError", Error("memory is exhausted: give less", Remedy::kLessMemory)));
  } catch (const SystemFileError& error) {
    raise(error_object("file_error", error, error.error_number(), text_object(error.path())));
  } catch (const Error& error) {
    raise(error_object("Error", error));
  }
}

}  // namespace

const char* argument_for(Remedy remedy) { return words_of(remedy).advice; }

const char* remedy_word(Remedy remedy) { return words_of(remedy).word; }

std::string message_of(const Error& error) { return std::string(error.what()) + argument_for(error.remedy()); }

nb::dict assumption_object(const Assumption& assumption) {
  nb::dict told;
  told["kind"] = assumption.kind;
  told["message"] = assumption.message;
  told["count"] = assumption.count;
  told["of"] = assumption.of;
  told["first_place"] = assumption.first_place;
  told["remedy"] = remedy_word(assumption.remedy);
  told["advice"] = argument_for(assumption.remedy);
  return told;
}

std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

void raise_type_error(const std::string& message) { throw TypeRefusal(message); }

void raise_value_error(const std::string& message) { throw option::ArgumentError(message); }

void translate_errors() { nb::register_exception_translator(translate, nullptr); }

}  // namespace sortie::python
