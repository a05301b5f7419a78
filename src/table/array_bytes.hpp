// Whether an array holds the same values as one before, told by the bytes in which these lie: that takes less time than
// a look at each value. Dictionaries that come again with every batch are known by it.
#pragma once

#include <cstddef>
#include <vector>

#include <sortie/arrow_c_data.hpp>

#include "table/table_type.hpp"

namespace sortie::table {

/// A copy of the bytes of one array's values. A hash would do for honest batches alone: whoever makes two dictionaries
/// of one hash would give rows the values of the other one.
class ArrayBytes {
 public:
  /// If it is true, `array` has the values of the array that was kept; if not, it may have them, too. Always false for
  /// arrays without values, and for types whose values are not in the order of their bytes: unions, runs, list views
  /// and dictionaries. Precondition: both arrays are of one type, and check_values() takes them.
  bool are_of(const TableType& type, const ArrowArray& array) const;
  /// Keeps those of `array`, and forgets the ones before.
  void keep(const TableType& type, const ArrowArray& array);

 private:
  std::vector<std::byte> bytes_;  // none: nothing to compare with
};

}  // namespace sortie::table
