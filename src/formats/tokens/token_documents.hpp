// The documents of a token file, one after the other: where the tokens of each lie. Three kinds of files tell it in
// three ways. Made by TokenReader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "formats/places/placed_files.hpp"
#include "formats/tokens/megatron_index.hpp"
#include "formats/tokens/token_type.hpp"

namespace sortie::formats::tokens {

enum class TokenForm : std::uint8_t {
  kMegatron,  ///< NAME.bin with NAME.idx beside it
  kNpy,       ///< rows of an array, or stretches up to an end token in one of one dimension
  kRaw,       ///< nothing but tokens: stretches up to an end token
};

struct Document {
  Place place = {};
  std::vector<std::int32_t> lengths = {};  ///< of its sequences, if it is Megatron's
};

class DocumentSource {
 public:
  virtual ~DocumentSource() = default;

  virtual const TokenType& type() const = 0;
  /// The numbers of a row, if the array has two dimensions.
  virtual std::optional<std::uint64_t> columns() const { return std::nullopt; }
  /// The next document; nothing at the end. Throws Error for a file that is damaged, and if tokens belong to no
  /// document.
  virtual std::optional<Document> next() = 0;
};

/// What is asked for beside the file. Only raw files need a type, and files without other marks an end.
struct TokenWords {
  const TokenType* type = nullptr;
  std::optional<std::int64_t> end = {};
};

/// Opens one input. Throws Error if it cannot be read, is no such file, or cannot be read again. `files` must outlive
/// the source.
std::unique_ptr<DocumentSource> open_documents(FileSystem& file_system, PlacedFiles& files, const std::string& path,
                                               TokenForm form, const TokenWords& words);

}  // namespace sortie::formats::tokens
