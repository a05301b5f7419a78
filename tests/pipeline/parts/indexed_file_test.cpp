// The file of BGZF with an index beside it: what both take of the index's memory.
#include "pipeline/parts/indexed_file.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include <sortie/error.hpp>

#include "io/output/packed_output.hpp"
#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

/// Writes so many blocks, in each of which one line of the same place ends.
std::string refusal_of(std::uint64_t blocks, std::uint64_t most_bytes) {
  const test::TemporaryDirectory directory;
  const auto files = make_posix_file_system();
  PlaceIndex index({GenomeFile::kBed, IndexForm::kTbi}, kBgzfContentsBytes, most_bytes);
  IndexedFile file(*files, directory / "out.bed.gz", 1, std::move(index), nullptr);
  const std::vector<std::byte> block(kBgzfContentsBytes);
  try {
    for (std::uint64_t i = 0; i < blocks; ++i) {
      file.packed().write(block);
      file.add({"a", 5, 6}, i * block.size(), (i + 1) * block.size());
    }
    file.finish();
  } catch (const Error& error) {
    EXPECT_EQ(error.remedy(), Remedy::kMoreMemory);
    return error.what();
  }
  return {};
}

TEST(IndexedFile, PlacesOfBlocksTakeOfTheMemoryOfTheIndex) {
  EXPECT_EQ(refusal_of(20, 4000), "");
  EXPECT_NE(refusal_of(3000, 4000).find("it takes more than 4000 bytes of memory"), std::string::npos);
}

}  // namespace
}  // namespace sortie
