#include "formats/tokens/megatron_index.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <sortie/error.hpp>

#include "base/bytes.hpp"
#include "base/quote.hpp"

namespace sortie::formats::tokens {
namespace {

constexpr std::string_view kIndexMagic("MMIDIDX\0\0", 9);
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kTypeOffset = kIndexMagic.size() + sizeof(std::uint64_t);
constexpr std::size_t kCountsOffset = kTypeOffset + 1;
constexpr std::size_t kIndexHeaderBytes = kCountsOffset + 2 * sizeof(std::uint64_t);
/// Numbers that are read or kept at a time.
constexpr std::size_t kPieceNumbers = 16 << 10;

[[noreturn]] void refuse_index(const std::string& path, const std::string& what) {
  throw Error("input " + quote_path(path) + ": " + what);
}

[[noreturn]] void refuse_at(const std::string& path, std::uint64_t offset, const std::string& what) {
  throw Error("input " + quote_path(path) + ", offset " + std::to_string(offset) + ": " + what);
}

template <class Number>
void put(Output& output, std::span<const Number> numbers) {
  output.write(std::as_bytes(numbers));
}

}  // namespace

bool begins_megatron_index(std::span<const std::byte> begin) {
  return begin.size() >= kIndexMagic.size() && std::memcmp(begin.data(), kIndexMagic.data(), kIndexMagic.size()) == 0;
}

/// Numbers of one width, one behind the other.
class MegatronIndex::Numbers {
 public:
  Numbers(File& file, std::uint64_t begin, std::size_t width) : file_(file), at_(begin), width_(width) {}

  /// The offset of the next number.
  std::uint64_t offset() const { return at_ - (bytes_ - used_); }

  std::int64_t next() {
    if (used_ == bytes_) fill();
    const std::byte* const number = piece_.data() + used_;
    used_ += width_;
    return width_ == sizeof(std::int32_t) ? load_as<std::int32_t>(number) : load_as<std::int64_t>(number);
  }

 private:
  void fill() {
    piece_.resize(kPieceNumbers * width_);
    bytes_ = file_.read_at(at_, piece_) / width_ * width_;
    if (bytes_ == 0) refuse_index(file_.path(), "it was cut short while it was read");
    at_ += bytes_;
    used_ = 0;
  }

  File& file_;
  std::uint64_t at_;  // of the next piece
  std::size_t width_;
  std::vector<std::byte> piece_;
  std::size_t bytes_ = 0;
  std::size_t used_ = 0;
};

MegatronIndex::MegatronIndex(std::unique_ptr<File> file, std::uint64_t token_bytes)
    : file_(std::move(file)), token_bytes_(token_bytes) {
  const std::string& path = file_->path();
  std::byte header[kIndexHeaderBytes];
  if (file_->read_at(0, header) < kIndexHeaderBytes || !begins_megatron_index(header)) {
    refuse_index(path, "it is no index of a token file of Megatron, which begins with MMIDIDX");
  }
  const auto version = load_as<std::uint64_t>(header + kIndexMagic.size());
  if (version != kVersion) refuse_index(path, "an index of version " + std::to_string(version) + " is not known");
  const auto code = std::to_integer<std::uint8_t>(header[kTypeOffset]);
  type_ = type_of_megatron(code);
  if (type_ == nullptr)
    refuse_index(path, "its numbers are of type " + std::to_string(code) + ", which is none of tokens");
  sequences_ = load_as<std::uint64_t>(header + kCountsOffset);
  const auto firsts = load_as<std::uint64_t>(header + kCountsOffset + sizeof(std::uint64_t));
  constexpr std::uint64_t kMostCount = std::numeric_limits<std::uint64_t>::max() / 64;
  const std::uint64_t bytes = file_->size();
  if (sequences_ > kMostCount || firsts > kMostCount || firsts == 0) refuse_index(path, "its counts are impossible");
  const std::uint64_t offsets_begin = kIndexHeaderBytes + sequences_ * sizeof(std::int32_t);
  const std::uint64_t firsts_begin = offsets_begin + sequences_ * sizeof(std::int64_t);
  const std::uint64_t end = firsts_begin + firsts * sizeof(std::int64_t);
  if (sequences_ != 0 && bytes == end + sequences_) {
    refuse_index(path, "it has modes of sequences, for data of several kinds, which are not read");
  }
  if (bytes != end) {
    refuse_index(path, "its counts say " + std::to_string(end) + " bytes, but it has " + std::to_string(bytes));
  }
  documents_ = firsts - 1;
  lengths_ = std::make_unique<Numbers>(*file_, kIndexHeaderBytes, sizeof(std::int32_t));
  offsets_ = std::make_unique<Numbers>(*file_, offsets_begin, sizeof(std::int64_t));
  firsts_ = std::make_unique<Numbers>(*file_, firsts_begin, sizeof(std::int64_t));
  if (firsts_->next() != 0) refuse_at(path, firsts_begin, "the first document does not begin with the first sequence");
}

MegatronIndex::~MegatronIndex() = default;

std::optional<IndexedDocument> MegatronIndex::next() {
  const std::string& path = file_->path();
  if (document_ == documents_) {
    if (sequence_ != sequences_ || offset_ != token_bytes_) {
      refuse_index(path, "tokens belong to no document: it knows of " + std::to_string(offset_) + " of the " +
                             std::to_string(token_bytes_) + " bytes beside it");
    }
    return std::nullopt;
  }
  const std::uint64_t place = firsts_->offset();
  const auto end = static_cast<std::uint64_t>(firsts_->next());
  if (end < sequence_ || end > sequences_) refuse_at(path, place, "the first sequence of a document is impossible");
  IndexedDocument document{.begin = offset_};
  for (; sequence_ < end; ++sequence_) {
    const std::uint64_t length_place = lengths_->offset();
    const std::int64_t length = lengths_->next();
    const std::uint64_t offset_place = offsets_->offset();
    const std::int64_t offset = offsets_->next();
    if (length < 0) refuse_at(path, length_place, "the length of a sequence is negative");
    if (static_cast<std::uint64_t>(offset) != offset_) {
      refuse_at(path, offset_place, "a sequence does not begin where the one before it ends");
    }
    offset_ += static_cast<std::uint64_t>(length) * type_->bytes;
    if (offset_ > token_bytes_) refuse_at(path, length_place, "a sequence ends behind the tokens beside the index");
    document.lengths.push_back(static_cast<std::int32_t>(length));
  }
  document.bytes = offset_ - document.begin;
  ++document_;
  return document;
}

void MegatronIndexWriter::Spool::append(std::span<const std::int32_t> numbers) {
  waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
  if (waiting_.size() < kPieceNumbers) return;
  if (!file_) file_ = scratch_.create();
  file_->write_at(stored_ * sizeof(std::int32_t), std::as_bytes(std::span(waiting_)));
  stored_ += waiting_.size();
  waiting_.clear();
}

template <class Visit>
void MegatronIndexWriter::Spool::for_each_piece(const Visit& visit) const {
  std::vector<std::int32_t> piece;
  for (std::uint64_t at = 0; at < stored_; at += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceNumbers, stored_ - at)));
    const auto bytes = std::as_writable_bytes(std::span(piece));
    if (file_->read_at(at * sizeof(std::int32_t), bytes) != bytes.size()) {
      throw Error("a scratch file has lost its end");
    }
    visit(std::span<const std::int32_t>(piece));
  }
  if (!waiting_.empty()) visit(std::span<const std::int32_t>(waiting_));
}

void MegatronIndexWriter::Spool::clear() {
  waiting_.clear();
  file_.reset();
  stored_ = 0;
}

void MegatronIndexWriter::add(std::span<const std::int32_t> lengths) {
  lengths_.append(lengths);
  const auto count = static_cast<std::int32_t>(lengths.size());
  counts_.append(std::span(&count, 1));
}

void MegatronIndexWriter::write(const TokenType& type, Output& output) {
  std::string header(kIndexMagic);
  const auto add_number = [&](std::uint64_t number) {
    header.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  add_number(kVersion);
  header += static_cast<char>(type.megatron_code);
  add_number(lengths_.size());
  add_number(counts_.size() + 1);
  output.write(std::as_bytes(std::span(header)));
  lengths_.for_each_piece([&](std::span<const std::int32_t> lengths) { put(output, lengths); });
  std::vector<std::int64_t> numbers;
  std::int64_t at = 0;
  lengths_.for_each_piece([&](std::span<const std::int32_t> lengths) {
    numbers.clear();
    for (const std::int32_t length : lengths) {
      numbers.push_back(at);
      at += std::int64_t{length} * static_cast<std::int64_t>(type.bytes);
    }
    put(output, std::span<const std::int64_t>(numbers));
  });
  at = 0;
  put(output, std::span<const std::int64_t>(&at, 1));
  counts_.for_each_piece([&](std::span<const std::int32_t> counts) {
    numbers.clear();
    for (const std::int32_t count : counts) numbers.push_back(at += count);
    put(output, std::span<const std::int64_t>(numbers));
  });
  lengths_.clear();
  counts_.clear();
}

}  // namespace sortie::formats::tokens
