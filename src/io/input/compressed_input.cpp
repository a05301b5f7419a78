#include "io/input/compressed_input.hpp"

#include <cassert>
#include <ios>
#include <optional>

#include <boost/iostreams/filter/bzip2.hpp>
#include <sortie/error.hpp>
#include <sortie/quote.hpp>

#include "io/input/gzip_input.hpp"
#include "io/input/zstd_input.hpp"

namespace sortie {
namespace {

constexpr std::streamsize kFilterBytes = 64 << 10;

/// A ByteSource as Boost.Iostreams reads it.
class FilterSource {
 public:
  using char_type = char;
  using category = boost::iostreams::source_tag;

  explicit FilterSource(ByteSource& source) : source_(source) {}

  std::streamsize read(char* target, std::streamsize bytes) {
    const std::size_t got = source_.read(std::as_writable_bytes(std::span(target, static_cast<std::size_t>(bytes))));
    return got != 0 ? static_cast<std::streamsize>(got) : -1;
  }

 private:
  ByteSource& source_;
};

/// Boost's filters are called directly rather than in a stream: errors come through as they are. They go
/// on from one member to the next by themselves.
template <class Filter>
class CompressedInput final : public Input {
 public:
  CompressedInput(ByteSource source, Filter filter) : source_(std::move(source)), filter_(std::move(filter)) {}

  const std::string& path() const override { return source_.path(); }
  std::optional<std::uint64_t> size() const override { return std::nullopt; }

  std::size_t read(std::span<std::byte> target) override {
    std::size_t done = 0;
    while (done < target.size() && filter_) done += unpack(target.subspan(done));
    return done;
  }

 private:
  std::size_t unpack(std::span<std::byte> target) {
    try {
      char* const bytes = reinterpret_cast<char*>(target.data());
      const std::streamsize got = filter_->read(filter_source_, bytes, static_cast<std::streamsize>(target.size()));
      if (got < 0) filter_.reset();
      return got < 0 ? 0 : static_cast<std::size_t>(got);
    } catch (const std::ios_base::failure&) {
      throw_damaged(path());
    }
  }

  ByteSource source_;
  FilterSource filter_source_{source_};
  std::optional<Filter> filter_;  // none at the end of the input
};

template <class Filter>
std::unique_ptr<Input> make_input(ByteSource source, Filter filter) {
  return std::make_unique<CompressedInput<Filter>>(std::move(source), std::move(filter));
}

}  // namespace

std::unique_ptr<Input> make_compressed_input(ByteSource source, CompressionFormat format, std::uint64_t window_bytes,
                                             const WarningSink& warn) {
  namespace filters = boost::iostreams;
  switch (format) {
    case CompressionFormat::kGzip:
      return std::make_unique<GzipInput>(std::move(source), warn);
    case CompressionFormat::kZstd:
      return std::make_unique<ZstdInput>(std::move(source), window_bytes);
    case CompressionFormat::kBzip2:
      return make_input(std::move(source), filters::bzip2_decompressor(false, kFilterBytes));
    case CompressionFormat::kNone:
      break;
  }
  assert(false && "not a compressed format");
  return nullptr;
}

void throw_damaged(const std::string& path) {
  throw Error("cannot unpack " + quote_word(path) + ": the compressed data is damaged or cut short");
}

}  // namespace sortie
