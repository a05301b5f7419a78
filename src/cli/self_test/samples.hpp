// The records that the self-test sorts, each with what must come of them; check_table.cpp says by which options.
#pragma once

#include <string>

namespace sortie::cli {

/// What goes in, and what must come out.
struct Sample {
  std::string input;
  std::string expected;
};

/// What goes in where two files are compared and joined by field 2, and what must come out.
struct TwoInputs {
  std::string left;
  std::string right;  ///< has a line for each of some keys
  std::string intersection;
  std::string joined;
};

/// Lines of words, in no order, of which some are equal.
std::string sample_lines();

/// Lines.
Sample plain_lines();
Sample falling_lines();
Sample lines_ended_by_zero();
Sample lines_with_header();
Sample numbers();
Sample general_numbers();
Sample human_numbers();
Sample months();
Sample versions();
Sample folded();
Sample dictionary();
Sample printable();
Sample blanks();
Sample two_keys();
Sample stable_keys();
Sample first_of_equal();
Sample last_of_equal();
Sample counted();
Sample first_lines();
Sample first_in_place();
Sample summed();
Sample repeated();
Sample only_once();
Sample shuffled();
Sample permuted();
Sample collated_lines();

/// Lines that have a form.
Sample times();
Sample json_lines();
Sample entries();
Sample genome_positions();
Sample fields_between_words();

TwoInputs inputs_with_common_keys();

/// Other records, such as those of CSV.
Sample csv_rows();
Sample two_fields();
Sample gensort_records();
Sample many_integers();
Sample prefixed_records();
/// Random numbers, in the order of integers and of floats.
template <class Number>
Sample integers();
template <class Bits>
Sample floats();

}  // namespace sortie::cli
