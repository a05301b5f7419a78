#include "python/object_value.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "python/raise_errors.hpp"
#include "python/text_object.hpp"

namespace nb = nanobind;

namespace sortie::python {
namespace {

using Encode = PyObject* (*)(PyObject*);

/// `name`: of the argument, for messages.
std::optional<std::string> text_in(nb::handle value, const std::string& name,
                                   Encode encode = PyUnicode_EncodeFSDefault) {
  if (!PyUnicode_Check(value.ptr())) return std::nullopt;
  const nb::object bytes = nb::steal(encode(value.ptr()));
  if (!bytes.is_valid()) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) throw nb::python_error();
    PyErr_Clear();
    option::refuse_value(option::Door::kPython, printable_text(value), name,
                         "it has a character that cannot be encoded; leave that out");
  }
  return std::string(PyBytes_AsString(bytes.ptr()), static_cast<std::size_t>(PyBytes_Size(bytes.ptr())));
}

std::optional<std::string> bytes_in(nb::handle value, const std::string& name) {
  if (!PyBytes_Check(value.ptr())) return text_in(value, name);
  return std::string(PyBytes_AsString(value.ptr()), static_cast<std::size_t>(PyBytes_Size(value.ptr())));
}

/// The system would take the name to end at a NUL character, and mean another file.
std::string checked_path(std::string path, const std::string& name) {
  if (path.find('\0') != std::string::npos) {
    option::refuse_value(option::Door::kPython, path, name, "it holds a NUL character: no file has such a name");
  }
  return path;
}

std::optional<std::string> path_in(nb::handle value, const std::string& name) {
  if (PyUnicode_Check(value.ptr()) || PyBytes_Check(value.ptr())) return checked_path(*bytes_in(value, name), name);
  if (!nb::hasattr(value, "__fspath__")) return std::nullopt;
  const nb::object path = nb::steal(PyOS_FSPath(value.ptr()));
  if (!path.is_valid()) throw nb::python_error();
  return checked_path(*bytes_in(path, name), name);
}

char in_capitals(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

/// The factor of a unit, in capitals or not; 0 if there is none of this name.
std::uint64_t unit_bytes(std::string_view word) {
  constexpr std::string_view kPrefixes = "KMGTPE";
  std::string unit(word);
  std::ranges::transform(unit, unit.begin(), in_capitals);
  if (unit.empty() || unit == "B") return 1;
  const std::size_t power = kPrefixes.find(unit.front());
  const std::string_view rest = std::string_view(unit).substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "B" && rest != "IB")) return 0;
  const std::uint64_t step = rest == "B" ? 1000 : 1024;
  std::uint64_t bytes = step;
  for (std::size_t i = 0; i < power; ++i) bytes *= step;
  return bytes;
}

std::optional<std::uint64_t> parse_size(std::string_view word) {
  double number = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number, std::chars_format::fixed);
  if (status != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string_view unit = word.substr(static_cast<std::size_t>(end - word.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const std::uint64_t factor = unit_bytes(unit);
  if (factor == 0) return std::nullopt;
  const double bytes = number * static_cast<double>(factor);
  constexpr double kTooLarge = 18446744073709551615.0;
  return bytes >= kTooLarge ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(bytes);
}

/// An int of Python, or what counts as one, such as the integers of NumPy. Flags do not count.
bool is_integer(nb::handle value) { return !PyBool_Check(value.ptr()) && PyIndex_Check(value.ptr()) != 0; }

/// Whether going through it gives what nobody means by a list: the lines of an open file, the keys of a dict, bytes.
bool is_no_list(nb::handle value) {
  return PyBytes_Check(value.ptr()) || PyByteArray_Check(value.ptr()) || PyDict_Check(value.ptr()) ||
         nb::hasattr(value, "read");
}

/// Whether it is one of NumPy's, which are no bools of Python.
bool is_numpy_flag(nb::handle value) {
  const std::string name = class_name(value);
  return nb::cast<std::string>(nb::str(nb::handle(value.type()).attr("__module__"))) == "numpy" &&
         (name == "bool" || name == "bool_");
}

}  // namespace

bool ObjectValue::as_flag(const char* expected) const {
  if (!PyBool_Check(value_.ptr()) && !is_numpy_flag(value_)) refuse_type(expected);
  return PyObject_IsTrue(value_.ptr()) == 1;
}

std::uint64_t ObjectValue::as_gnu_count() const {
  if (!is_integer(value_)) refuse_type("an int");
  return count_in(value_);
}

std::uint64_t ObjectValue::count_in(nb::handle value) const {
  std::uint64_t count = 0;
  const nb::object number = nb::steal(PyNumber_Index(value.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  if (!nb::try_cast(number, count)) {
    const std::string word = nb::cast<std::string>(nb::str(number));
    refuse(word, word.starts_with('-') ? "give a number that is not negative" : "give a number below 2**64");
  }
  return count;
}

std::uint64_t ObjectValue::as_count(const char* meaning_of_none) const {
  const std::uint64_t count = as_gnu_count();
  if (count == 0) refuse("0", std::string("give 1 or more, or None for ") + meaning_of_none);
  return count;
}

std::uint64_t ObjectValue::as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const {
  const std::uint64_t number = as_gnu_count();
  if (number < least || number > most) refuse(std::to_string(number), reason);
  return number;
}

std::int64_t ObjectValue::as_integer(const std::string& reason) const {
  if (!is_integer(value_)) refuse_type("an int");
  const nb::object number = nb::steal(PyNumber_Index(value_.ptr()));
  if (!number.is_valid()) throw nb::python_error();
  std::int64_t integer = 0;
  if (!nb::try_cast(number, integer)) refuse(nb::cast<std::string>(nb::str(number)), reason);
  return integer;
}

std::uint64_t ObjectValue::as_size(const char*, char) const {
  const std::optional<std::string> word = text_in(value_, name_);
  if (!word) {
    if (!is_integer(value_)) refuse_type("an int or a str such as \"4GB\"");
    return as_count("the default");
  }
  const std::optional<std::uint64_t> size = parse_size(*word);
  if (!size || *size == 0) refuse(*word, "give bytes, or a size such as 4GB, 4GiB or 512M");
  return *size;
}

std::string ObjectValue::required(std::optional<std::string> text, const char* expected) const {
  if (!text) refuse_type(expected);
  return *std::move(text);
}

std::string ObjectValue::as_text() const { return required(text_in(value_, name_), "a str"); }

std::string ObjectValue::as_column() const { return required(text_in(value_, name_, PyUnicode_AsUTF8String), "a str"); }

bool ObjectValue::is_text() const { return PyUnicode_Check(value_.ptr()); }

bool ObjectValue::is_flag() const { return PyBool_Check(value_.ptr()); }

std::vector<nb::object> ObjectValue::items(const char* expected) const {
  if (is_no_list(value_)) refuse_type(expected);
  const nb::object iterator = nb::steal(PyObject_GetIter(value_.ptr()));
  if (!iterator.is_valid()) {
    PyErr_Clear();
    refuse_type(expected);
  }
  std::vector<nb::object> items;
  while (PyObject* item = PyIter_Next(iterator.ptr())) items.push_back(nb::steal(item));
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return items;
}

/// `read(value)`: what it is, if it is of the right type.
template <class Read>
auto ObjectValue::list_of(const char* expected, const Read& read) const {
  if (auto only = read(value_)) return std::vector{*std::move(only)};
  decltype(std::vector{*read(value_)}) list;
  for (const nb::object& item : items(expected)) {
    auto value = read(item);
    if (!value) refuse_item(expected, item);
    list.push_back(*std::move(value));
  }
  return list;
}

std::vector<std::string> ObjectValue::as_texts() const {
  return list_of("a str or a list of them", [&](nb::handle value) { return text_in(value, name_); });
}

std::string ObjectValue::as_bytes() const { return required(bytes_in(value_, name_), "bytes or a str"); }

std::string ObjectValue::as_path() const {
  return required(path_in(value_, name_), "a path (str, bytes or os.PathLike)");
}

std::string ObjectValue::as_path_or_none() const {
  std::string path = as_path();
  if (path.empty()) refuse(path, "give a path, or None for none");
  return path;
}

std::vector<std::string> ObjectValue::as_paths() const {
  return list_of("a path (str, bytes or os.PathLike) or a list of them",
                 [&](nb::handle value) { return path_in(value, name_); });
}

std::vector<int> ObjectValue::as_numbers() const {
  return list_of("an int or a list of them",
                 [&](nb::handle value) { return is_integer(value) ? std::optional(number_in(value)) : std::nullopt; });
}

int ObjectValue::number_in(nb::handle value) const {
  const std::uint64_t number = count_in(value);
  if (number > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
    refuse(std::to_string(number), "give a number below 2**31");
  }
  return static_cast<int>(number);
}

void ObjectValue::refuse_type(const char* expected) const {
  const char* const advice = nb::hasattr(value_, "read") ? ", which is an open file: give its name" : "";
  raise_type_error(name_ + " must be " + expected + ", not " + class_name(value_) + advice);
}

void ObjectValue::refuse_item(const char* expected, nb::handle item) const {
  raise_type_error(name_ + " must be " + expected + ", not a " + class_name(value_) + " with an item of type " +
                   class_name(item));
}

}  // namespace sortie::python
