#include "pipeline/public_call.hpp"

#include <gtest/gtest.h>
#include <sortie/error.hpp>

#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "pipeline/pipeline_support.hpp"

namespace sortie {
namespace {

template <class Thrown>
std::string error_after(const Thrown& thrown) {
  return test::error_of([&] { public_call([&] { throw thrown; }); });
}

TEST(PublicCall, ThrowsNothingButError) {
  EXPECT_EQ(public_call([] { return 5; }), 5);
  EXPECT_EQ(error_after(Error("as it is")), "as it is");
  EXPECT_NE(error_after(std::length_error("vector::reserve")).find("vector::reserve"), std::string::npos);
  const std::filesystem::filesystem_error no_file("no file",
                                                  std::make_error_code(std::errc::no_such_file_or_directory));
  EXPECT_NE(error_after(no_file).find("no file"), std::string::npos);
  const std::system_error no_thread(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_TRUE(error_after(no_thread).starts_with("cannot start a thread: "));
}

TEST(PublicCall, TellsWantOfMemoryByItsType) {
  EXPECT_THROW(public_call([] { throw std::bad_alloc(); }), MemoryError);
  EXPECT_THROW(public_call([] { throw std::bad_array_new_length(); }), MemoryError);
  EXPECT_TRUE(error_after(std::bad_alloc()).starts_with("memory exhausted"));
}

TEST(PublicCall, KeepsTheKindOfAnError) {
  const FileError no_file(FileError::Kind::kOpenInput, "open failed: a", "a", "");
  EXPECT_THROW(public_call([&] { throw no_file; }), FileError);
}

// Cancelling a thread raises an exception that must not be caught.
TEST(PublicCall, LetsWhatIsNoExceptionPass) {
  EXPECT_THROW(public_call([] { throw 5; }), int);
}

}  // namespace
}  // namespace sortie
