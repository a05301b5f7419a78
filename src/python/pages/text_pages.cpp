#include "python/pages/text_pages.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#define ZSTD_STATIC_LINKING_ONLY  // for literals that are packed although few matches are looked for
#include <zstd.h>
#include <zstd_errors.h>
#include <sortie/error.hpp>

namespace sortie::python {
namespace {

constexpr std::size_t kMostKeptBytes = 4 << 20;  // of a page that is used again
constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);

/// Header of a page at most: nine numbers of 5 bytes, each behind a byte, and two ends.
constexpr std::size_t kMostHeaderBytes = 64;

/// As much of a column's first page is packed several times, to see which way is best.
constexpr std::size_t kTriedBytes = 128 << 10;

/// Places that zstd passes over between two at which it looks for a match: as many as a block has, so that it looks for
/// next to none, or seven. By the first random texts become as long as by level 1, in 0.8 of the time that they take by
/// the second, which finds lengths of texts by luck. By the second random texts with a common begin take 0.72 of the
/// time of level 1, and become 1.5% longer; lines of a log a fourth longer.
constexpr int kSteps[] = {ZSTD_BLOCKSIZE_MAX, 7};

/// Bytes more that may be: one in so many.
constexpr std::size_t kFastShare = 50;

// Of the structs PageHeader and DataPageHeader in parquet.thrift.
constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kPlain = 0;
constexpr std::int32_t kRle = 3;

/// `result` of a function of zstd. Throws std::bad_alloc or Error if it is an error.
std::size_t checked_page(std::size_t result) {
  if (::ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (::ZSTD_isError(result) != 0) {
    throw Error(std::string("cannot compress texts of the output: ") + ::ZSTD_getErrorName(result));
  }
  return result;
}

std::size_t put_varint(std::byte* out, std::uint64_t number) {
  std::size_t size = 0;
  for (; number >= 0x80; number >>= 7) out[size++] = static_cast<std::byte>(number | 0x80);
  out[size++] = static_cast<std::byte>(number);
  return size;
}

/// A struct of Thrift's compact protocol whose fields are numbered without gaps.
class HeaderBytes {
 public:
  void add_number(std::int32_t number) {
    bytes_[size_++] = std::byte{0x15};  // the next field, of 32 bits
    const auto bits = static_cast<std::uint32_t>(number);
    size_ += put_varint(bytes_.data() + size_, (bits << 1) ^ (number < 0 ? ~std::uint32_t{0} : 0));
  }
  void begin_struct() { bytes_[size_++] = std::byte{0x1C}; }
  void end_struct() { bytes_[size_++] = std::byte{0}; }
  std::span<const std::byte> bytes() const { return {bytes_.data(), size_}; }

 private:
  std::array<std::byte, kMostHeaderBytes> bytes_;
  std::size_t size_ = 0;
};

HeaderBytes page_header(std::size_t unpacked_bytes, std::span<const std::byte> packed, std::size_t rows) {
  HeaderBytes header;
  header.add_number(kDataPage);
  header.add_number(static_cast<std::int32_t>(unpacked_bytes));
  header.add_number(static_cast<std::int32_t>(packed.size()));
  header.add_number(static_cast<std::int32_t>(::libdeflate_crc32(0, packed.data(), packed.size())));
  header.begin_struct();
  header.add_number(static_cast<std::int32_t>(rows));
  header.add_number(kPlain);
  header.add_number(kRle);
  header.add_number(kRle);
  header.end_struct();
  header.end_struct();
  return header;
}

/// The first 8 bytes as a number, with zeros behind a text that is shorter: less and greater as the texts are.
std::uint64_t first_word(std::string_view text) {
  std::uint64_t word = 0;
  if (text.size() >= sizeof(word)) {
    std::memcpy(&word, text.data(), sizeof(word));
  } else if (!text.empty()) {
    std::memcpy(&word, text.data(), text.size());
  }
  return std::endian::native == std::endian::little ? __builtin_bswap64(word) : word;
}

/// The least and the greatest of texts.
class TextEnds {
 public:
  explicit TextEnds(TextPagesTold& told) : told_(told) {
    if (!told.least) return;
    least_word_ = first_word(*told.least);
    greatest_word_ = first_word(*told.greatest);
  }

  void add(std::string_view text) {
    const std::uint64_t word = first_word(text);
    if (!told_.least || word < least_word_ || (word == least_word_ && text < *told_.least)) {
      told_.least = text;
      least_word_ = word;
    }
    if (!told_.greatest || word > greatest_word_ || (word == greatest_word_ && text > *told_.greatest)) {
      told_.greatest = text;
      greatest_word_ = word;
    }
  }

 private:
  TextPagesTold& told_;
  std::uint64_t least_word_ = 0;
  std::uint64_t greatest_word_ = 0;
};

bool is_valid_row(const ArrowArray& texts, std::size_t place) {
  const auto* const bits = static_cast<const std::uint8_t*>(texts.buffers[0]);
  return bits == nullptr || (bits[place / 8] >> place % 8 & 1U) != 0;
}

}  // namespace

void TextPage::clear() {
  if (bytes_.capacity() > kMostKeptBytes) bytes_ = {};  // a long text's
  used_ = rows_ = nulls_ = 0;
  valid_.assign(kMostRows / 8, std::byte{0});
}

std::size_t TextPage::fill(const TextArray& texts, std::size_t row, std::size_t page_bytes, TextPagesTold& told) {
  return texts.is_wide ? fill_from<std::int64_t>(*texts.array, row, page_bytes, told)
                       : fill_from<std::int32_t>(*texts.array, row, page_bytes, told);
}

template <class Offset>
std::size_t TextPage::fill_from(const ArrowArray& texts, std::size_t row, std::size_t page_bytes, TextPagesTold& told) {
  const auto* const offsets = static_cast<const Offset*>(texts.buffers[1]) + texts.offset;
  const auto* const text_bytes = static_cast<const char*>(texts.buffers[2]);
  const auto end = static_cast<std::size_t>(texts.length);
  TextEnds ends(told);
  for (; row < end && !is_full(page_bytes); ++row, ++rows_) {
    if (!is_valid_row(texts, static_cast<std::size_t>(texts.offset) + row)) {
      ++nulls_;
      continue;
    }
    valid_[rows_ / 8] |= static_cast<std::byte>(1U << rows_ % 8);
    const std::string_view text(text_bytes + offsets[row], static_cast<std::size_t>(offsets[row + 1] - offsets[row]));
    make_room(kLengthBytes + text.size());
    std::byte* const out = bytes_.data() + kLevelRoom + used_;
    const auto length = static_cast<std::uint32_t>(text.size());
    std::memcpy(out, &length, kLengthBytes);  // little-endian, as all machines are that Arrow's wheels are for
    if (!text.empty()) std::memcpy(out + kLengthBytes, text.data(), text.size());
    used_ += kLengthBytes + text.size();
    told.text_bytes += text.size();
    ends.add(text);
  }
  return row;
}

void TextPage::make_room(std::size_t bytes) {
  const std::size_t needed = kLevelRoom + used_ + bytes;
  if (needed > bytes_.size()) bytes_.resize(std::max(needed, bytes_.size() + bytes_.size() / 2));
}

std::span<const std::byte> TextPage::contents(bool may_be_null) {
  make_room(0);
  std::size_t begin = kLevelRoom;
  if (may_be_null) {
    // One run of ones, or the bits.
    std::byte run[16];
    const std::size_t groups = (rows_ + 7) / 8;
    std::size_t run_bytes = put_varint(run, nulls_ == 0 ? rows_ << 1 : groups << 1 | 1);
    if (nulls_ == 0) run[run_bytes++] = std::byte{1};
    const std::size_t bit_bytes = nulls_ == 0 ? 0 : groups;
    const auto level_bytes = static_cast<std::uint32_t>(run_bytes + bit_bytes);
    begin -= kLengthBytes + level_bytes;
    std::byte* const out = bytes_.data() + begin;
    std::memcpy(out, &level_bytes, kLengthBytes);
    std::memcpy(out + kLengthBytes, run, run_bytes);
    std::memcpy(out + kLengthBytes + run_bytes, valid_.data(), bit_bytes);
  }
  return std::span<const std::byte>(bytes_).subspan(begin, kLevelRoom - begin + used_);
}

TextPageWriter::TextPageWriter() : zstd_(::ZSTD_createCCtx()) {
  if (zstd_ == nullptr) throw std::bad_alloc();
}

TextPageWriter::~TextPageWriter() { ::ZSTD_freeCCtx(zstd_); }

std::optional<TextPagesTold> TextPageWriter::write(std::span<const TextArray> arrays, const TextPageForm& form,
                                                   std::span<std::byte> out) {
  TextPagesTold told;
  begin(form);
  for (const TextArray& texts : arrays) {
    for (std::size_t row = 0; row < static_cast<std::size_t>(texts.array->length);) {
      row = page_.fill(texts, row, form.page_bytes, told);
      if (page_.is_full(form.page_bytes) && !append_page(form, out, told)) return std::nullopt;
    }
  }
  if (page_.rows() > 0 && !append_page(form, out, told)) return std::nullopt;
  return told;
}

void TextPageWriter::begin(const TextPageForm& form) {
  checked_page(::ZSTD_CCtx_reset(zstd_, ZSTD_reset_session_and_parameters));
  checked_page(::ZSTD_CCtx_setParameter(zstd_, ZSTD_c_compressionLevel, form.level.value_or(1)));
  page_.clear();
}

/// Ends the page. False if there is no room for it.
bool TextPageWriter::append_page(const TextPageForm& form, std::span<std::byte> out, TextPagesTold& told) {
  const std::span<const std::byte> page = page_.contents(form.may_be_null);
  const std::span<std::byte> room = out.subspan(told.stored_bytes);
  if (room.size() < kMostHeaderBytes + ::ZSTD_compressBound(page.size())) return false;
  if (told.pages == 0 && !form.level) set_best_step(page, room);
  const std::size_t packed_bytes = packed(page, room.subspan(header_bytes_));
  const std::span<const std::byte> packed_page = room.subspan(header_bytes_, packed_bytes);
  const HeaderBytes header = page_header(page.size(), packed_page, page_.rows());
  const std::size_t header_bytes = header.bytes().size();
  if (header_bytes != header_bytes_) std::memmove(room.data() + header_bytes, packed_page.data(), packed_bytes);
  std::memcpy(room.data(), header.bytes().data(), header_bytes);
  header_bytes_ = header_bytes;
  told.stored_bytes += header_bytes + packed_bytes;
  told.unpacked_bytes += header_bytes + page.size();
  told.rows += page_.rows();
  told.nulls += page_.nulls();
  ++told.pages;
  page_.clear();
  return true;
}

/// Takes the longest step by which the begin of a page becomes about as short as by level 1. `room`: for what is made.
void TextPageWriter::set_best_step(std::span<const std::byte> page, std::span<std::byte> room) {
  const std::span<const std::byte> tried = page.first(std::min(page.size(), kTriedBytes));
  set_step(0);
  const std::size_t usual = packed(tried, room);
  for (const int step : kSteps) {
    set_step(step);
    if (packed(tried, room) <= usual + usual / kFastShare) return;
  }
  set_step(0);
}

/// 0: that of level 1.
void TextPageWriter::set_step(int step) {
  checked_page(::ZSTD_CCtx_setParameter(zstd_, ZSTD_c_targetLength, step));
  checked_page(
      ::ZSTD_CCtx_setParameter(zstd_, ZSTD_c_literalCompressionMode, step > 0 ? ZSTD_ps_enable : ZSTD_ps_auto));
}

std::size_t TextPageWriter::packed(std::span<const std::byte> bytes, std::span<std::byte> out) {
  return checked_page(::ZSTD_compress2(zstd_, out.data(), out.size(), bytes.data(), bytes.size()));
}

}  // namespace sortie::python
