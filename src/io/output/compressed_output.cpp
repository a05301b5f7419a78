#include "io/output/compressed_output.hpp"

#include <algorithm>
#include <ios>

#include <boost/iostreams/filter/bzip2.hpp>
#include <sortie/error.hpp>

#include "base/thread_team.hpp"
#include "io/output/gzip_output.hpp"
#include "io/output/zstd_output.hpp"

namespace sortie {
namespace {

/// Compressed bytes are passed on in portions of this size.
constexpr std::streamsize kCompressorBytes = 256 << 10;

/// An Output as Boost.Iostreams writes it.
class FilterSink {
 public:
  using char_type = char;
  using category = boost::iostreams::sink_tag;

  explicit FilterSink(Output& target) : target_(target) {}

  std::streamsize write(const char* source, std::streamsize bytes) {
    target_.write(std::as_bytes(std::span(source, static_cast<std::size_t>(bytes))));
    return bytes;
  }

 private:
  Output& target_;
};

class Bzip2Output final : public Output {
 public:
  explicit Bzip2Output(std::unique_ptr<Output> target)
      : target_(std::move(target)), sink_(*target_), filter_(boost::iostreams::bzip2_params(), kCompressorBytes) {}

  bool waits_for_reader() const override { return target_->waits_for_reader(); }
  void write(std::span<const std::byte> bytes) override {
    guarded([&] {
      const char* source = reinterpret_cast<const char*>(bytes.data());
      auto left = static_cast<std::streamsize>(bytes.size());
      while (left > 0) {
        throw_if_stopped();
        const std::streamsize taken = filter_.write(sink_, source, std::min<std::streamsize>(left, kBytesBetweenStops));
        source += taken;
        left -= taken;
      }
    });
  }

  void expect(std::uint64_t) override {}
  void write_around_cache() override { target_->write_around_cache(); }

  void finish() override {
    guarded([&] { filter_.close(sink_, std::ios_base::out); });
    target_->finish();
  }

 private:
  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (const std::ios_base::failure& failure) {
      throw Error(std::string("cannot compress the output: ") + failure.what());
    }
  }

  std::unique_ptr<Output> target_;
  FilterSink sink_;
  boost::iostreams::bzip2_compressor filter_;
};

}  // namespace

std::unique_ptr<Output> compress_output(std::unique_ptr<Output> target, CompressionFormat format) {
  switch (format) {
    case CompressionFormat::kGzip:
      return std::make_unique<GzipOutput>(std::move(target));
    case CompressionFormat::kZstd:
      return std::make_unique<ZstdOutput>(std::move(target));
    case CompressionFormat::kBzip2:
      return std::make_unique<Bzip2Output>(std::move(target));
    case CompressionFormat::kNone:
      break;
  }
  return target;
}

}  // namespace sortie
