#include "pipeline/setup/module_file.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/quote.hpp"

namespace sortie {
namespace {

namespace fs = std::filesystem;

// The folder of the program, and the folder of the library that holds this function.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path());
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&own_folders), &self) != 0 && self.dli_fname != nullptr) {
    const fs::path library = self.dli_fname;  // the program, if it holds this function
    const bool is_program = !folders.empty() && library.parent_path() == folders.front();
    if (library.is_absolute() && !is_program) folders.push_back(library.parent_path());
  }
  return folders;
}

std::optional<fs::path> find_module(const char* file) {
  std::vector<fs::path> candidates;
  // Joined as strings: path::operator/= of GCC 12 frees what it does not own if it gets no memory.
  const auto add = [&](const std::string& folder) { candidates.emplace_back(folder + "/" + file); };
  for (const fs::path& folder : own_folders()) {
    add(folder.native());
    add(folder.native() + "/" SORTIE_MODULE_FROM_PROGRAMS);
    add(folder.native() + "/" SORTIE_MODULE_FROM_LIBRARIES);
    add(folder.native() + "/" SORTIE_MODULE_FROM_PACKAGE);
  }
  add(SORTIE_MODULE_FOLDER);
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    if (fs::is_regular_file(candidate, error)) return candidate;
  }
  return std::nullopt;
}

/// A library has a dozen segments. More are the sign of a damaged header.
constexpr unsigned kMostSegments = 1024;

using FileHeader = ElfW(Ehdr);

/// Whether the `count` entries of `entry_bytes` from `offset` on lie in a file of `file_bytes`.
bool lies_in(std::uint64_t file_bytes, std::uint64_t offset, std::uint64_t count, std::uint64_t entry_bytes) {
  return offset <= file_bytes && (entry_bytes == 0 || count <= (file_bytes - offset) / entry_bytes);
}

template <class Value>
bool read_at(std::ifstream& in, std::uint64_t offset, Value& value) {
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(reinterpret_cast<char*>(&value), sizeof(value));
  return static_cast<bool>(in);
}

// The segments are what is mapped.
bool segments_are_whole(std::ifstream& in, const FileHeader& header, std::uint64_t file_bytes) {
  ElfW(Phdr) segment{};
  if (header.e_phentsize != sizeof(segment) || header.e_phnum == 0 || header.e_phnum > kMostSegments) return false;
  if (!lies_in(file_bytes, header.e_phoff, header.e_phnum, sizeof(segment))) return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    if (!read_at(in, header.e_phoff + i * sizeof(segment), segment)) return false;
    if (!lies_in(file_bytes, segment.p_offset, segment.p_filesz, 1)) return false;
    if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz) return false;
  }
  return true;
}

// The table of sections stands at the end of a file, where linkers put it: what is cut short lacks it. A library that
// was stripped of its sections has none.
bool section_table_is_whole(std::ifstream& in, const FileHeader& header, std::uint64_t file_bytes) {
  if (header.e_shoff == 0) return true;
  ElfW(Shdr) first{};
  if (header.e_shentsize != sizeof(first) || !lies_in(file_bytes, header.e_shoff, 1, sizeof(first))) return false;
  if (header.e_shnum != 0) return lies_in(file_bytes, header.e_shoff, header.e_shnum, sizeof(first));
  return read_at(in, header.e_shoff, first) && lies_in(file_bytes, header.e_shoff, first.sh_size, sizeof(first));
}

// Whether the file lacks something that its headers promise. dlopen() would map it past its end, and the process would
// end by SIGBUS, then or later. What is no library at all is left to dlopen(), which says so.
bool is_cut_short(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  FileHeader header{};
  if (!read_at(in, 0, header) || std::string_view(reinterpret_cast<const char*>(header.e_ident), SELFMAG) != ELFMAG) {
    return false;
  }
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error || !segments_are_whole(in, header, bytes) || !section_table_is_whole(in, header, bytes);
}

}  // namespace

bool has_module(const ModuleName& name) {
  return dlsym(RTLD_DEFAULT, name.symbol) != nullptr || find_module(name.file);
}

std::string no_module(const ModuleName& name) {
  return std::string(name.words) + " " + name.file + " is neither beside Sortie nor in " SORTIE_MODULE_FOLDER;
}

LoadedModule load_module(const ModuleName& name, const std::string& file) {
  const std::string shown = quote_path(file);
  if (is_cut_short(file)) {
    return {nullptr, shown, std::string(name.words) + " " + shown + " is cut short: install it again"};
  }
  // What a module needs, as CUDA's runtime, cannot always be unloaded safely.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return {nullptr, shown, std::string(name.words) + " cannot be loaded: " + dlerror()};
  void* const function = dlsym(library, name.symbol);
  if (function == nullptr) {
    const std::string words = std::string(name.words).substr(std::string_view("the ").size());
    return {nullptr, shown, shown + " is not Sortie's " + words};
  }
  return {function, shown, ""};
}

LoadedModule load_module(const ModuleName& name) {
  if (void* const function = dlsym(RTLD_DEFAULT, name.symbol)) return {function, "", ""};
  const std::optional<fs::path> file = find_module(name.file);
  if (!file) return {nullptr, "", no_module(name)};
  return load_module(name, file->string());
}

}  // namespace sortie
