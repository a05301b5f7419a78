// Modules of Sortie: libraries that are loaded when what they do is first asked for, so that nobody else pays for what
// they need. One is looked for beside the command and beside libsortie.so, then in the library folder that Sortie is
// installed to. A program that was linked with a module has it already.
#pragma once

#include <string>

namespace sortie {

/// A module, and the function by which it is entered.
struct ModuleName {
  const char* file;    ///< "libsortie_gpu.so"
  const char* symbol;  ///< of a C function
  const char* words;   ///< for messages: "the GPU module"
};

/// Whether there is a module, without loading it.
bool has_module(const ModuleName& name);

/// The message for the case that there is no module, without a remedy.
std::string no_module(const ModuleName& name);

struct LoadedModule {
  void* function = nullptr;  ///< the symbol; null if there is none
  std::string shown;         ///< the file, quoted; empty if the program holds the module
  std::string reason;        ///< why there is none; empty if there is
};

/// Loads the module for good, or says why it cannot be had: it is missing, cut short or no such library. Thread-safe.
LoadedModule load_module(const ModuleName& name);

/// The same for a module in `file`.
LoadedModule load_module(const ModuleName& name, const std::string& file);

}  // namespace sortie
