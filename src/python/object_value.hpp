// The value of one argument in Python, read as what the library's option is. A value of another type raises TypeError
// that names the argument; a word that is not known throws ArgumentError.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "option/value.hpp"

namespace sortie::python {

class ObjectValue final : public option::Value {
 public:
  ObjectValue(std::string name, nanobind::handle value) : name_(std::move(name)), value_(value) {}

  option::Door door() const override { return option::Door::kPython; }
  const std::string& name() const override { return name_; }
  bool is_text() const override;
  bool is_flag() const override;
  bool as_flag(const char* expected = "True or False") const override;
  std::uint64_t as_count(const char* meaning_of_none) const override;
  std::uint64_t as_gnu_count() const override;
  std::uint64_t as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const override;
  std::int64_t as_integer(const std::string& reason) const override;
  /// An int, or a str with a unit: "4GB" and the like count by thousands, "4GiB" and "4G" by 1024.
  std::uint64_t as_size(const char* example, char plain_unit) const override;
  std::string as_text() const override;
  /// The name of a column, which is UTF-8 whatever the encoding of file names.
  std::string as_column() const;
  std::string as_bytes() const override;
  std::vector<std::string> as_texts() const override;
  /// str, bytes or os.PathLike.
  std::string as_path() const override;
  std::string as_path_or_none() const override;
  std::vector<std::string> as_paths() const override;
  std::vector<int> as_numbers() const override;

 private:
  [[noreturn]] void refuse_type(const char* expected) const;
  [[noreturn]] void refuse_item(const char* expected, nanobind::handle item) const;
  std::string required(std::optional<std::string> text, const char* expected) const;
  std::uint64_t count_in(nanobind::handle value) const;
  int number_in(nanobind::handle value) const;
  std::vector<nanobind::object> items(const char* expected) const;
  template <class Read>
  auto list_of(const char* expected, const Read& read) const;

  std::string name_;
  nanobind::handle value_;
};

}  // namespace sortie::python
