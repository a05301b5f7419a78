#include "pipeline/setup/load_gpu_module.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "support/temporary_directory.hpp"

namespace sortie {
namespace {

TEST(LoadGpuModule, SaysThatAFileIsMissing) {
  const LoadedGpus loaded = load_gpu_module("/nowhere/libsortie_gpu.so");
  EXPECT_EQ(loaded.gpus, nullptr);
  EXPECT_NE(loaded.reason.find("/nowhere/libsortie_gpu.so"), std::string::npos) << loaded.reason;
}

TEST(LoadGpuModule, RefusesWhatIsNoLibrary) {
  const test::TemporaryDirectory directory;
  const std::string file = directory / "libsortie_gpu.so";
  std::ofstream(file) << "not a library";
  const LoadedGpus loaded = load_gpu_module(file);
  EXPECT_EQ(loaded.gpus, nullptr);
  EXPECT_TRUE(loaded.reason.starts_with("the GPU module cannot be loaded: ")) << loaded.reason;
}

TEST(LoadGpuModule, RefusesOneThatIsCutShort) {
  const test::TemporaryDirectory directory;
  const std::string file = directory / "libsortie_gpu.so";
  std::filesystem::copy_file(SORTIE_OLD_GPU_MODULE, file);
  const std::uintmax_t whole = std::filesystem::file_size(file);
  for (std::uintmax_t bytes = whole / 2; bytes > 0; bytes /= 2) {
    std::filesystem::resize_file(file, bytes);
    const LoadedGpus loaded = load_gpu_module(file);
    EXPECT_EQ(loaded.gpus, nullptr);
    EXPECT_FALSE(loaded.reason.empty());
  }
}

TEST(LoadGpuModule, RefusesALibraryThatIsNoModule) {
  EXPECT_EQ(load_gpu_module("libc.so.6").reason, "libc.so.6 is not Sortie's GPU module");
}

TEST(LoadGpuModule, DoesNotOpenOneOfAnotherVersion) {
  const LoadedGpus loaded = load_gpu_module(SORTIE_OLD_GPU_MODULE);
  EXPECT_EQ(loaded.gpus, nullptr);
  EXPECT_NE(loaded.reason.find("is of version 0.0.0/0, this is "), std::string::npos) << loaded.reason;
}

TEST(LoadGpuModule, DoesNotOpenOneOfAnotherTree) {
  const LoadedGpus loaded = load_gpu_module(SORTIE_FOREIGN_GPU_MODULE);
  EXPECT_EQ(loaded.gpus, nullptr);
  EXPECT_NE(loaded.reason.find("was built from another tree"), std::string::npos) << loaded.reason;
}

#ifdef SORTIE_GPU_MODULE
TEST(LoadGpuModule, GivesTheGpusOrSaysWhyThereAreNone) {
  const LoadedGpus loaded = load_gpu_module(SORTIE_GPU_MODULE);
  ASSERT_NE(loaded.gpus, nullptr) << loaded.reason;
  EXPECT_EQ(load_gpu_module(SORTIE_GPU_MODULE).gpus, loaded.gpus);
  const UsableGpus usable = loaded.gpus->require_devices({});
  EXPECT_EQ(usable.numbers.empty(), !usable.reason.empty());
}
#endif

}  // namespace
}  // namespace sortie
