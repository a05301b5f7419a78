#include "formats/tokens/token_reader.hpp"

#include <algorithm>
#include <utility>

#include <sortie/byte_checksum.hpp>
#include <sortie/error.hpp>

#include "base/parallel.hpp"
#include "base/quote.hpp"
#include "record/prefixed/prefixed_records.hpp"

namespace sortie::formats::tokens {
namespace {

constexpr std::size_t kMostInBatch = 4096;
constexpr std::uint64_t kShareOfBatch = 8;
constexpr std::uint64_t kHashedBytes = 256 << 10;

}  // namespace

TokenReader::TokenReader(const JobContext& context, PlacedFiles& files, TokenForm form, DocumentOrder order,
                         const TokenWords& words)
    : context_(context), files_(files), order_(order), shuffle_keys_(context.options.format.text.random_seed) {
  if (context.options.inputs.empty()) throw Error("token files are read again when they are copied: name the inputs");
  for (const std::string& path : context.options.inputs) {
    sources_.push_back(open_documents(context.files, files, path, form, words));
    if (&sources_.back()->type() != &type()) {
      throw Error("input " + quote_path(path) + ": its tokens are " + std::string(sources_.back()->type().name) +
                  ", those of " + quote_path(context.options.inputs.front()) + " are " + std::string(type().name));
    }
    if (sources_.back()->columns() != columns()) {
      throw Error("input " + quote_path(path) + ": its rows are not as long as those of " +
                  quote_path(context.options.inputs.front()));
    }
  }
  stretches_ = stretches_of(context.files, context.options.inputs, context.share, false);
  if (!stretches_.empty()) number_ = stretches_.front().records_before;
}

std::optional<Document> TokenReader::next_document() {
  for (; current_ < stretches_.size(); ++current_, has_begun_ = false) {
    const std::size_t input = stretches_[current_].input;
    if (!has_begun_) context_.begin_input(context_.options.inputs[input], documents_);
    has_begun_ = true;
    if (std::optional<Document> document = sources_[input]->next()) {
      ++documents_;
      return document;
    }
  }
  return std::nullopt;
}

// `number`: of the document, among those of all inputs.
std::vector<std::byte> TokenReader::key_of(const Document& document, std::uint64_t number) const {
  if (order_ == DocumentOrder::kContent) return content_hash(document.place);
  return order_ == DocumentOrder::kRandom ? shuffle_keys_.key(number) : std::vector<std::byte>();
}

std::vector<std::byte> TokenReader::content_hash(const Place& place) const {
  ByteChecksum sum;
  std::vector<std::byte> piece;
  for (std::uint64_t done = 0; done < place.bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kHashedBytes, place.bytes - done)));
    files_.read(place.input, place.offset + done, piece);
    sum.add(piece);
  }
  const Checksum value = sum.value();
  const auto hash = std::as_bytes(std::span(&value, 1));
  return {hash.begin(), hash.end()};
}

bool TokenReader::read(RawBytes& records) {
  std::vector<Document> batch;
  std::uint64_t batch_bytes = 0;
  while (batch.size() < kMostInBatch && batch_bytes < context_.buffer_bytes / kShareOfBatch) {
    std::optional<Document> document = next_document();
    if (!document) break;
    batch_bytes += sizeof(Document) + document->lengths.size() * sizeof(std::int32_t);
    batch.push_back(std::move(*document));
  }
  std::vector<std::vector<std::byte>> keys(batch.size());
  parallel_for(0, batch.size(), [&](std::size_t i) { keys[i] = key_of(batch[i], number_ + i); });
  std::vector<std::byte> payload;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    payload.clear();
    batch[i].place.append_to(payload);
    const auto lengths = std::as_bytes(std::span(batch[i].lengths));
    payload.insert(payload.end(), lengths.begin(), lengths.end());
    append_prefixed_record(keys[i], payload, records);
    ++records_;
    bytes_ += batch[i].place.bytes;
  }
  number_ += batch.size();
  return !batch.empty();
}

}  // namespace sortie::formats::tokens
