// The value of an option as a word of the command line. Its messages are those of GNU sort where it has the option.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/options/argument_parser.hpp"
#include "option/value.hpp"

namespace sortie::cli {

class WordValue final : public option::Value {
 public:
  /// `argument` must outlive it.
  WordValue(option::Door door, const Argument& argument) : door_(door), argument_(argument) {}

  option::Door door() const override { return door_; }
  const std::string& name() const override { return argument_.name; }
  bool is_text() const override { return argument_.has_value; }
  bool is_flag() const override { return false; }
  bool as_flag(const char*) const override { return true; }
  std::uint64_t as_count(const char*) const override { return option::count_in(argument_.value, *this); }
  std::uint64_t as_gnu_count() const override;
  std::uint64_t as_number(std::uint64_t least, std::uint64_t most, const std::string& reason) const override;
  std::uint64_t as_size(const char* example, char plain_unit) const override;
  std::string as_text() const override { return argument_.value; }
  std::string as_bytes() const override { return argument_.value; }
  std::vector<std::string> as_texts() const override { return {argument_.value}; }
  std::string as_path() const override { return argument_.value; }
  std::string as_path_or_none() const override { return argument_.value; }
  std::vector<std::string> as_paths() const override { return {argument_.value}; }
  std::vector<int> as_numbers() const override;

 private:
  option::Door door_;
  const Argument& argument_;
};

}  // namespace sortie::cli
