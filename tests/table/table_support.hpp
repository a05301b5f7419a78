// Sorts tables that are built by hand, and shows the sorted rows as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include <sortie/table_sorter.hpp>

#include "support/temporary_directory.hpp"
#include "table/arrow_owner.hpp"
#include "table/hand_built_columns.hpp"
#include "table/value_text.hpp"

namespace sortie::test {

/// The values of each row, by column.
using RowTexts = std::vector<std::vector<std::string>>;

class TableTest : public testing::Test {
 protected:
  TableTest() { options_.sort.scratch_directories = {directory_.path().string()}; }

  void SetUp() override { options_.sort.threads = 2; }

  /// All sorted rows of `batches`. `schema` is the first batch if it is not given.
  RowTexts sorted(const std::vector<HandBuilt>& batches) { return sorted(batches.at(0), batches); }

  RowTexts sorted(const HandBuilt& schema, const std::vector<HandBuilt>& batches) {
    TableSorter sorter(*schema_of(schema), options_);
    int releases = 0;
    for (const HandBuilt& batch : batches) {
      ArrowArray array = array_of(batch, &releases);
      sorter.push(&array);
      EXPECT_EQ(array.release, nullptr);
    }
    EXPECT_EQ(releases, static_cast<int>(batches.size()));
    return pull_all(sorter);
  }

  RowTexts pull_all(TableSorter& sorter) {
    ArrowSchema exported{};
    sorter.export_schema(&exported);
    const table::ArrowOwner<ArrowSchema> owner(exported);  // also where pulling throws
    const ArrowSchema& schema = *owner;
    RowTexts rows;
    batch_lengths_.clear();
    for (ArrowArray batch{}; sorter.pull(&batch); batch.release(&batch)) {
      batch_lengths_.push_back(batch.length);
      for (std::int64_t i = 0; i < batch.length; ++i) {
        std::vector<std::string>& row = rows.emplace_back();
        for (std::int64_t column = 0; column < schema.n_children; ++column) {
          row.push_back(value_text(*schema.children[column], *batch.children[column], i));
        }
      }
    }
    report_ = sorter.report();
    return rows;
  }

  /// One column of the rows.
  static std::vector<std::string> column(const RowTexts& rows, std::size_t number) {
    std::vector<std::string> values;
    for (const auto& row : rows) values.push_back(row.at(number));
    return values;
  }

  /// The message of the Error that `work` throws.
  template <class Work>
  static std::string message_of(const Work& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryDirectory directory_;
  TableOptions options_;
  SortReport report_;
  std::vector<std::int64_t> batch_lengths_;
};

}  // namespace sortie::test
