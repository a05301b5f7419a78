// SAM, CRAM and VCF by htslib. A thread reads the file and writes BAM or BCF to a pipe, in blocks of BGZF that are
// stored and not packed: htslib 1.16 fails when it is to write none. Whoever wants the bytes reads them there.
//
//   file ──▶ htslib ──▶ pipe ──▶ read()
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "base/quote.hpp"
#include "base/raw_bytes.hpp"
#include "genomes/hts_contents.hpp"
#include "genomes/hts_file.hpp"
#include "genomes/hts_pipe.hpp"
#include "io/input/bgzf_block.hpp"

namespace sortie::genomes {
namespace {

using formats::HtsContents;
using formats::HtsInput;
using formats::HtsReader;

HtsFile opened(const HtsInput& input, const std::string& shown) {
  HtsFile file(::hts_open(input.path.c_str(), "r"));
  if (!file) throw Error(shown + " cannot be opened: " + std::strerror(errno));
  set_reference(*file, input.reference);
  if (input.threads > 1) ::hts_set_threads(file.get(), static_cast<int>(input.threads));
  return file;
}

/// Is also what fails when nobody reads on; then nobody hears of it.
[[noreturn]] void refuse_record(const std::string& shown, std::uint64_t number) {
  throw Error(shown + ", record " + std::to_string(number) +
              ": htslib cannot make a packed record of it, as its message says; correct the record");
}

/// htslib itself takes any whole number of blocks for a whole file of BGZF.
void refuse_cut(htsFile& file, const std::string& shown) {
  if (file.format.compression != bgzf || ::hts_check_EOF(&file) != 0) return;
  throw Error(shown +
              " is cut short: the empty block of BGZF that ends such a file is missing; get the file once more");
}

void convert_alignments(htsFile& file, HtsFile out, const std::string& shown) {
  const HtsHeader header(::sam_hdr_read(&file));
  if (!header) throw Error(shown + " has no header of alignments that htslib can read");
  if (!out || ::sam_hdr_write(out.get(), header.get()) < 0) throw Error(shown + ": cannot write to a pipe");
  const HtsRecord record(::bam_init1());
  std::uint64_t count = 0;
  int status = 0;
  while ((status = ::sam_read1(&file, header.get(), record.get())) >= 0) {
    ++count;
    if (::sam_write1(out.get(), header.get(), record.get()) < 0) refuse_record(shown, count);
  }
  refuse_cut(file, shown);
  if (status < -1) {
    throw Error(shown + ", record " + std::to_string(count + 1) +
                ": htslib cannot read it, as its message says; the file is damaged or cut short, or a CRAM file needs "
                "its --reference");
  }
  if (::hts_close(out.release()) != 0) throw Error(shown + ": cannot write to a pipe");
}

// The header is written first. So a record of BCF names nothing that it lacks, although htslib would add it.
void convert_variants(htsFile& file, HtsFile out, const std::string& shown) {
  const VariantHeader header(::bcf_hdr_read(&file));
  if (!header) throw Error(shown + " has no header of variants that htslib can read");
  if (!out || ::bcf_hdr_write(out.get(), header.get()) < 0) throw Error(shown + ": cannot write to a pipe");
  const VariantRecord record(::bcf_init());
  std::uint64_t count = 0;
  int status = 0;
  while ((status = ::bcf_read(&file, header.get(), record.get())) >= 0) {
    ++count;
    if ((record->errcode & (BCF_ERR_CTG_UNDEF | BCF_ERR_TAG_UNDEF)) != 0) {
      throw Error(shown + ", record " + std::to_string(count) +
                  ": its chromosome, or a key of its FILTER, INFO or FORMAT, has no line in the header, which "
                  "BCF needs: add the line, for example by 'bcftools reheader --fai'");
    }
    if (::bcf_write(out.get(), header.get(), record.get()) < 0) refuse_record(shown, count);
  }
  refuse_cut(file, shown);
  if (status < -1) {
    throw Error(shown + ", record " + std::to_string(count + 1) +
                ": htslib cannot read it, as its message says; the file is damaged or cut short");
  }
  if (::hts_close(out.release()) != 0) throw Error(shown + ": cannot write to a pipe");
}

void convert(const HtsInput& input, int end) {
  Descriptor unused(end);
  const std::string shown = "input " + quote_path(input.path);
  const HtsFile file = opened(input, shown);
  HtsFile out = open_end(unused.release(), "wb0");
  input.contents == HtsContents::kAlignments ? convert_alignments(*file, std::move(out), shown)
                                             : convert_variants(*file, std::move(out), shown);
}

class Reader final : public HtsReader {
 public:
  explicit Reader(const HtsInput& input) : thread_([input, end = pipe_.writing.release()] { convert(input, end); }) {}
  ~Reader() override {
    // That nobody reads on is no fault.
    const htsLogLevel before = ::hts_get_log_level();
    ::hts_set_log_level(HTS_LOG_OFF);
    pipe_.reading.close();
    thread_.end();
    ::hts_set_log_level(before);
  }

  bool read(RawBytes& contents) override {
    const bool has_more = fill();
    const std::size_t before = contents.size();
    std::span<const std::byte> rest(blocks_);
    while (const auto block = front_bgzf_block(rest)) {
      const std::size_t end = contents.size();
      contents.resize(end + block->contents_bytes);
      if (!unpacker_.unpack(*block, std::span(contents).subspan(end))) throw Error("a pipe of htslib is damaged");
      rest = rest.subspan(block->bytes);
    }
    blocks_.erase(blocks_.begin(), blocks_.end() - static_cast<std::ptrdiff_t>(rest.size()));
    if (has_more || contents.size() > before) return true;
    thread_.join();
    return false;
  }

 private:
  /// Reads more blocks; false at the end.
  bool fill() {
    const std::size_t before = blocks_.size();
    blocks_.resize(before + kPieceBytes);
    std::size_t filled = before;
    while (filled < blocks_.size()) {
      const ssize_t got = read_pipe(pipe_.reading.number(), std::span(blocks_).subspan(filled));
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    blocks_.resize(filled);
    return filled > before;
  }

  std::vector<std::byte> blocks_;  // not yet unpacked
  BgzfUnpacker unpacker_;
  Pipe pipe_;
  HtsThread thread_;
};

}  // namespace

std::unique_ptr<HtsReader> open_input(const HtsInput& input) { return std::make_unique<Reader>(input); }

}  // namespace sortie::genomes
