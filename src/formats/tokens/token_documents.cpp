#include "formats/tokens/token_documents.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "formats/tokens/npy_header.hpp"
#include "io/input/compression_format.hpp"

namespace sortie::formats::tokens {
namespace {

constexpr std::size_t kScannedBytes = 256 << 10;
constexpr std::string_view kTokenSuffix = ".bin";
constexpr std::string_view kIndexSuffix = ".idx";

[[noreturn]] void refuse_input(const std::string& path, const std::string& what) {
  throw Error("input " + quote_path(path) + ": " + what);
}

std::uint32_t add_plain_file(FileSystem& file_system, PlacedFiles& files, const std::string& path) {
  std::unique_ptr<File> file = file_system.open_input(path);
  if (!file->seekable()) refuse_input(path, "tokens are read again when they are copied; name a plain file");
  return files.add(std::move(file));
}

/// Throws Error for an array that is packed: its begin shows it. Bare tokens may begin with any bytes.
void refuse_packed(std::span<const std::byte> begin, const std::string& path) {
  if (begins_npy(begin)) return;
  const auto packing = name_of_packed(begin);
  if (!packing) return;
  const std::string finding = "it is " + std::string(*packing) + ", and tokens are read again when they are copied";
  refuse_input(path, finding + ": unpack it first");
}

class MegatronDocuments final : public DocumentSource {
 public:
  MegatronDocuments(FileSystem& file_system, PlacedFiles& files, const std::string& stem)
      : input_(add_plain_file(file_system, files, stem + std::string(kTokenSuffix))),
        index_(file_system.open_input(stem + std::string(kIndexSuffix)), files.bytes(input_)) {}

  const TokenType& type() const override { return index_.type(); }
  std::optional<Document> next() override {
    std::optional<IndexedDocument> found = index_.next();
    if (!found) return std::nullopt;
    return Document{{input_, found->begin, found->bytes}, std::move(found->lengths)};
  }

 private:
  std::uint32_t input_;
  MegatronIndex index_;
};

class RowDocuments final : public DocumentSource {
 public:
  RowDocuments(std::uint32_t input, const NpyHeader& header) : input_(input), header_(header) {}

  const TokenType& type() const override { return *header_.type; }
  std::optional<std::uint64_t> columns() const override { return header_.columns; }
  std::optional<Document> next() override {
    if (row_ == header_.rows) return std::nullopt;
    const std::uint64_t bytes = *header_.columns * header_.type->bytes;
    return Document{{input_, header_.header_bytes + row_++ * bytes, bytes}, {}};
  }

 private:
  std::uint32_t input_;
  NpyHeader header_;
  std::uint64_t row_ = 0;
};

/// The first of `tokens` that is `end`, or their number.
template <class Token>
std::size_t find_token(std::span<const std::byte> tokens, std::uint64_t end) {
  const std::size_t count = tokens.size() / sizeof(Token);
  for (std::size_t i = 0; i < count; ++i) {
    Token token;
    std::memcpy(&token, tokens.data() + i * sizeof(Token), sizeof token);
    if (token == static_cast<Token>(end)) return i;
  }
  return count;
}

std::size_t find_token(std::span<const std::byte> tokens, std::size_t width, std::uint64_t end) {
  switch (width) {
    case 1:
      return find_token<std::uint8_t>(tokens, end);
    case 2:
      return find_token<std::uint16_t>(tokens, end);
    case 4:
      return find_token<std::uint32_t>(tokens, end);
    default:
      return find_token<std::uint64_t>(tokens, end);
  }
}

class EndedDocuments final : public DocumentSource {
 public:
  /// `begin`: offset of the first token.
  EndedDocuments(PlacedFiles& files, std::uint32_t input, std::uint64_t begin, const TokenType& type, std::int64_t end)
      : files_(files),
        input_(input),
        at_(begin),
        bytes_(files.bytes(input)),
        type_(type),
        end_(static_cast<std::uint64_t>(end)) {
    window_begin_ = at_;
    if ((bytes_ - at_) % type.bytes != 0) {
      refuse_input(files.path(input), "its " + std::to_string(bytes_ - at_) + " bytes are no whole tokens of " +
                                          std::to_string(type.bytes) + " bytes");
    }
  }

  const TokenType& type() const override { return type_; }
  std::optional<Document> next() override {
    const std::uint64_t begin = at_;
    while (at_ < bytes_) {
      if (at_ == window_begin_ + window_.size()) fill();
      const auto rest = std::span(window_).subspan(static_cast<std::size_t>(at_ - window_begin_));
      const std::size_t found = find_token(rest, type_.bytes, end_);
      const bool is_found = found * type_.bytes < rest.size();
      at_ += (found + (is_found ? 1 : 0)) * type_.bytes;
      if (is_found) return Document{{input_, begin, at_ - begin}, {}};
    }
    if (begin == bytes_) return std::nullopt;
    refuse_input(files_.path(input_), "no end token is behind the last document, from offset " + std::to_string(begin) +
                                          " on: add one, or give the one that ends documents");
  }

 private:
  void fill() {
    window_begin_ = at_;
    window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kScannedBytes, bytes_ - at_)));
    files_.read(input_, at_, window_);
  }

  PlacedFiles& files_;
  std::uint32_t input_;
  std::uint64_t at_;
  std::uint64_t bytes_;
  const TokenType& type_;
  std::uint64_t end_;
  std::vector<std::byte> window_;
  std::uint64_t window_begin_ = 0;
};

std::string stem_of(const std::string& path) {
  for (const std::string_view suffix : {kTokenSuffix, kIndexSuffix}) {
    if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size());
  }
  refuse_input(path, "a token file of Megatron is called NAME.bin, with NAME.idx beside it");
}

/// Throws Error for one that the type does not hold, which would never be found.
std::int64_t end_of(const TokenWords& words, const TokenType& type, const std::string& path) {
  if (!words.end) refuse_input(path, "nothing tells where its documents end: give --token-end=N, the token that does");
  const bool is_signed = type.name[0] == 'i';
  const unsigned bits = static_cast<unsigned>(type.bytes) * 8;
  const std::int64_t least = !is_signed   ? 0
                             : bits == 64 ? std::numeric_limits<std::int64_t>::min()
                                          : -(1LL << (bits - 1));
  const std::int64_t most =
      bits == 64 ? std::numeric_limits<std::int64_t>::max() : (1LL << (bits - (is_signed ? 1 : 0))) - 1;
  if (*words.end < least || *words.end > most) {
    refuse_input(path,
                 "the end token " + std::to_string(*words.end) + " is none that " + std::string(type.name) + " holds");
  }
  return *words.end;
}

std::unique_ptr<DocumentSource> open_npy(PlacedFiles& files, std::uint32_t input, const TokenWords& words) {
  std::vector<std::byte> begin(
      static_cast<std::size_t>(std::min<std::uint64_t>(kMostNpyHeaderBytes, files.bytes(input))));
  files.read(input, 0, begin);
  const std::string& path = files.path(input);
  refuse_packed(begin, path);
  const NpyHeader header = read_npy_header(begin, files.bytes(input), path);
  if (header.columns) return std::make_unique<RowDocuments>(input, header);
  return std::make_unique<EndedDocuments>(files, input, header.header_bytes, *header.type,
                                          end_of(words, *header.type, path));
}

}  // namespace

std::unique_ptr<DocumentSource> open_documents(FileSystem& file_system, PlacedFiles& files, const std::string& path,
                                               TokenForm form, const TokenWords& words) {
  if (form == TokenForm::kMegatron) return std::make_unique<MegatronDocuments>(file_system, files, stem_of(path));
  const std::uint32_t input = add_plain_file(file_system, files, path);
  if (form == TokenForm::kNpy) return open_npy(files, input, words);
  if (words.type == nullptr) refuse_input(path, "nothing tells how long its tokens are: give --token-type, as u16");
  return std::make_unique<EndedDocuments>(files, input, 0, *words.type, end_of(words, *words.type, path));
}

}  // namespace sortie::formats::tokens
