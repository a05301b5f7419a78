#include "formats/load_genomes_module.hpp"

#include <sortie/error.hpp>

#include "pipeline/setup/module_file.hpp"

namespace sortie::formats {
namespace {

constexpr ModuleName kModule{kGenomesModuleFile, kGenomesModuleSymbol, "the genomes module"};

}  // namespace

const GenomesModule& genomes_module(const std::string& what) {
  const LoadedModule loaded = load_module(kModule);
  std::string reason = loaded.reason;
  if (loaded.function != nullptr) {
    const GenomesModule& module = *reinterpret_cast<const GenomesModule* (*)()>(loaded.function)();
    if (module.version == std::string(kGenomesModuleVersion)) return module;
    reason = loaded.shown + " is of version " + module.version + ", this is " + kGenomesModuleVersion;
  }
  throw Error(what + " needs htslib, and " + reason + ": install the package sortie-genomes, or build Sortie where " +
              "libhts-dev is installed");
}

}  // namespace sortie::formats
