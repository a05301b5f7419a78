#include "pipeline/setup/load_gpu_module.hpp"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

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

std::string contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Why a file with these contents is not loaded. Each is a file of its own: one that was loaded stays mapped.
std::string refusal_of(const test::TemporaryDirectory& directory, std::string_view contents) {
  static int number = 0;
  const std::string file = directory / ("libsortie_gpu.so." + std::to_string(++number));
  std::ofstream(file, std::ios::binary) << contents;
  const LoadedGpus loaded = load_gpu_module(file);
  EXPECT_EQ(loaded.gpus, nullptr);
  std::filesystem::remove(file);
  return loaded.reason;
}

// A library that was mapped past its end would end the process by SIGBUS, as a shortened one that is mapped does.
TEST(LoadGpuModule, RefusesOneThatIsCutShort) {
  const test::TemporaryDirectory directory;
  const std::string whole = contents_of(SORTIE_OLD_GPU_MODULE);
  std::vector<std::size_t> lengths{whole.size() - 1, whole.size() - 64, whole.size() - 65};
  for (std::size_t i = 1; i < 64; ++i) lengths.push_back(whole.size() / 64 * i);
  for (std::size_t bytes = 4096; bytes < whole.size(); bytes += std::max<std::size_t>(4096, whole.size() / 64)) {
    lengths.insert(lengths.end(), {bytes - 1, bytes, bytes + 1});
  }
  for (std::size_t bytes = sizeof(Elf64_Ehdr); bytes < 1024; bytes += 8) lengths.push_back(bytes);
  for (const std::size_t bytes : lengths) {
    const std::string reason = refusal_of(directory, std::string_view(whole).substr(0, bytes));
    EXPECT_TRUE(reason.ends_with(" is cut short: install it again"))
        << bytes << " of " << whole.size() << ": " << reason;
  }
}

TEST(LoadGpuModule, RefusesOneWithLessThanAHeader) {
  const test::TemporaryDirectory directory;
  const std::string whole = contents_of(SORTIE_OLD_GPU_MODULE);
  for (std::size_t bytes = 0; bytes < sizeof(Elf64_Ehdr); ++bytes) {
    const std::string reason = refusal_of(directory, std::string_view(whole).substr(0, bytes));
    EXPECT_TRUE(reason.starts_with("the GPU module cannot be loaded: ")) << bytes << ": " << reason;
  }
}

// Each field of the header that says where something is, with numbers that lie outside of the file or overflow.
TEST(LoadGpuModule, RefusesOneWhoseHeaderIsDamaged) {
  const test::TemporaryDirectory directory;
  const std::string whole = contents_of(SORTIE_OLD_GPU_MODULE);
  const auto refuses_with = [&](std::size_t offset, std::size_t bytes, std::uint64_t value) {
    std::string damaged = whole;
    std::memcpy(damaged.data() + offset, &value, bytes);
    const std::string reason = refusal_of(directory, damaged);
    EXPECT_TRUE(reason.ends_with(" is cut short: install it again")) << offset << " " << value << ": " << reason;
  };
  for (const std::uint64_t value : {std::uint64_t{whole.size()}, ~std::uint64_t{0}, ~std::uint64_t{0} - 63}) {
    refuses_with(offsetof(Elf64_Ehdr, e_phoff), 8, value);
    refuses_with(offsetof(Elf64_Ehdr, e_shoff), 8, value);
    refuses_with(sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset), 8, value);
    refuses_with(sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_filesz), 8, value);
  }
  for (const std::uint64_t value : {0, 0xFFFF}) {
    refuses_with(offsetof(Elf64_Ehdr, e_phnum), 2, value);
    refuses_with(offsetof(Elf64_Ehdr, e_phentsize), 2, value);
    refuses_with(offsetof(Elf64_Ehdr, e_shentsize), 2, value);
  }
  refuses_with(offsetof(Elf64_Ehdr, e_shnum), 2, 0xFFFF);
}

TEST(LoadGpuModule, RefusesGarbage) {
  const test::TemporaryDirectory directory;
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    std::string garbage = round % 2 == 0 ? "" : contents_of(SORTIE_OLD_GPU_MODULE).substr(0, 20);
    while (garbage.size() < 6000) garbage += static_cast<char>(random());
    EXPECT_FALSE(refusal_of(directory, garbage).empty());
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
  ASSERT_NE(loaded.device_functions, nullptr);
  EXPECT_GT(loaded.device_functions->sort_scratch_bytes(cuda::KeyType::kUint32, 4, 1000), 8000U);
  const UsableGpus usable = loaded.gpus->require_devices({});
  EXPECT_EQ(usable.numbers.empty(), !usable.reason.empty());
}
#endif

}  // namespace
}  // namespace sortie
