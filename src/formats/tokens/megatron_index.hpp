// The index of a token file of Megatron, NAME.idx beside NAME.bin: how long each sequence is, and which sequences are a
// document. (megatron/core/datasets/indexed_dataset.py, _IndexReader and _IndexWriter.)
//
//   "MMIDIDX\0\0" │ version 1, u64 │ type of tokens, u8 │ sequences n, u64 │ documents + 1, u64 │
//   lengths, n × i32 │ offsets in NAME.bin, n × i64 │ first sequence of each document, and n, (documents + 1) × i64
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formats/tokens/token_type.hpp"
#include "io/files/file.hpp"
#include "io/files/scratch.hpp"
#include "io/output/output.hpp"

namespace sortie::formats::tokens {

bool begins_megatron_index(std::span<const std::byte> begin);

/// One document of an index: consecutive sequences, which lie one behind the other.
struct IndexedDocument {
  std::uint64_t begin = 0;  ///< offset in the token file
  std::uint64_t bytes = 0;
  std::vector<std::int32_t> lengths = {};  ///< of its sequences, in tokens
};

/// Reads an index from front to back.
class MegatronIndex {
 public:
  /// `token_bytes`: of the token file. Throws Error with the path for what is no such index, for one with modes of
  /// several kinds of data, and if the file has not the bytes that its counts say.
  MegatronIndex(std::unique_ptr<File> file, std::uint64_t token_bytes);
  ~MegatronIndex();
  MegatronIndex(const MegatronIndex&) = delete;
  MegatronIndex& operator=(const MegatronIndex&) = delete;

  const TokenType& type() const { return *type_; }

  /// The next document; nothing at the end. Throws Error with the offset in the index for lengths that are negative,
  /// sequences that are not one behind the other or lie outside of the token file, documents that are not in turn, and
  /// at the end if tokens belong to no document.
  std::optional<IndexedDocument> next();

 private:
  class Numbers;

  std::unique_ptr<File> file_;
  std::uint64_t token_bytes_;
  const TokenType* type_ = nullptr;
  std::uint64_t sequences_ = 0;
  std::uint64_t documents_ = 0;
  std::unique_ptr<Numbers> lengths_;
  std::unique_ptr<Numbers> offsets_;
  std::unique_ptr<Numbers> firsts_;
  std::uint64_t document_ = 0;  // the next one
  std::uint64_t sequence_ = 0;  // the next one
  std::uint64_t offset_ = 0;    // of the next one
};

/// Collects what an index says, in scratch space beyond a little memory, and writes it.
class MegatronIndexWriter {
 public:
  /// `scratch` must outlive this.
  explicit MegatronIndexWriter(ScratchSpace& scratch) : lengths_(scratch), counts_(scratch) {}

  void add(std::span<const std::int32_t> lengths);
  /// Writes the index of all that was added, and forgets it.
  void write(const TokenType& type, Output& output);

 private:
  /// Numbers that are appended, and read again in turn.
  class Spool {
   public:
    explicit Spool(ScratchSpace& scratch) : scratch_(scratch) {}

    void append(std::span<const std::int32_t> numbers);
    std::uint64_t size() const { return stored_ + waiting_.size(); }
    template <class Visit>
    void for_each_piece(const Visit& visit) const;
    void clear();

   private:
    ScratchSpace& scratch_;
    std::vector<std::int32_t> waiting_;
    std::unique_ptr<File> file_;
    std::uint64_t stored_ = 0;  // numbers in the file
  };

  Spool lengths_;
  Spool counts_;  // sequences of each document
};

}  // namespace sortie::formats::tokens
