// Makes records of the documents of token files: a key, the place of the tokens, and for Megatron the lengths of the
// sequences. Owned by TokenFiles.
//
//   payload │ place, 20 bytes │ lengths, 4 bytes each │
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <sortie/shuffle_keys.hpp>

#include "base/raw_bytes.hpp"
#include "formats/file_format.hpp"
#include "formats/tokens/token_documents.hpp"

namespace sortie::formats::tokens {

/// What orders documents, and tells equal ones.
enum class DocumentOrder : std::uint8_t {
  kPlace,    ///< as they stand
  kContent,  ///< a hash of the tokens, 128 bits
  kRandom,   ///< a shuffle
};

class TokenReader {
 public:
  /// Opens all inputs. Throws Error as open_documents() does, and if they have tokens of different types, or rows of
  /// different lengths. `context` and `files` must outlive this.
  TokenReader(const JobContext& context, PlacedFiles& files, TokenForm form, DocumentOrder order,
              const TokenWords& words);

  const TokenType& type() const { return sources_.front()->type(); }
  std::optional<std::uint64_t> columns() const { return sources_.front()->columns(); }

  /// As FormatFiles has them.
  bool read(RawBytes& records);
  std::uint64_t records_read() const { return records_; }
  /// Bytes of all tokens so far.
  std::uint64_t bytes_read() const { return bytes_; }

 private:
  std::optional<Document> next_document();
  std::vector<std::byte> key_of(const Document& document, std::uint64_t number) const;
  std::vector<std::byte> content_hash(const Place& place) const;

  const JobContext& context_;
  PlacedFiles& files_;
  DocumentOrder order_;
  ShuffleKeys shuffle_keys_;
  std::vector<std::unique_ptr<DocumentSource>> sources_;
  std::vector<InputStretch> stretches_;
  std::size_t current_ = 0;      // of stretches_
  bool has_begun_ = false;       // with that one
  std::uint64_t documents_ = 0;  // that next_document() has given
  std::uint64_t number_ = 0;     // of the next document, among those of all inputs
  std::uint64_t records_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace sortie::formats::tokens
