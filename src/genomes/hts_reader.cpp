// SAM, CRAM and VCF by htslib. A thread reads the file and writes BAM or BCF to a pipe, in blocks of BGZF that are
// stored and not packed: htslib 1.16 fails when it is to write none. Whoever wants the bytes reads them there.
//
//   file ──▶ htslib ──▶ pipe ──▶ read()
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
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

/// An input of htslib, whose file is opened here: its descriptor says how far it has been read.
class OpenedInput {
 public:
  /// `bytes_read`: of its file; is told from time to time.
  OpenedInput(const HtsInput& input, const std::string& shown, std::atomic<std::uint64_t>& bytes_read)
      : descriptor_(input.path == "-" ? -1 : ::open(input.path.c_str(), O_RDONLY | O_CLOEXEC)),
        bytes_read_(bytes_read),
        file_(opened(descriptor_, input.path)) {
    if (!file_) refuse(shown);
    set_reference(*file_, input.reference);
    if (input.threads > 1) ::hts_set_threads(file_.get(), static_cast<int>(input.threads));
  }

  htsFile& file() const { return *file_; }

  void count_record() {
    if (++records_ % kRecordsOfTurn != 0 || descriptor_ < 0) return;
    const off_t offset = ::lseek(descriptor_, 0, SEEK_CUR);
    if (offset > 0) bytes_read_ = static_cast<std::uint64_t>(offset);
  }
  std::uint64_t records() const { return records_; }

 private:
  static constexpr std::uint64_t kRecordsOfTurn = 256;

  // What is no file, or cannot be opened, is htslib's.
  static HtsFile opened(int descriptor, const std::string& path) {
    if (descriptor < 0) return HtsFile(::hts_open(path.c_str(), "r"));
    errno = 0;
    return open_descriptor(Descriptor(descriptor), path.c_str(), "r");
  }

  /// htslib sets no error, or this one, for bytes that are none of its formats.
  [[noreturn]] static void refuse(const std::string& shown) {
    if (errno == 0 || errno == ENOEXEC) {
      throw Error(shown + " has no form that htslib knows: it is another file, or damaged or cut short");
    }
    throw Error(shown + " cannot be opened: " + std::strerror(errno));
  }

  const int descriptor_;  // is the file's
  std::atomic<std::uint64_t>& bytes_read_;
  std::uint64_t records_ = 0;
  HtsFile file_;
};

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

void convert_alignments(OpenedInput& input, HtsFile out, const std::string& shown) {
  htsFile& file = input.file();
  const HtsHeader header(::sam_hdr_read(&file));
  if (!header) throw Error(shown + " has no header of alignments that htslib can read");
  if (!out || ::sam_hdr_write(out.get(), header.get()) < 0) throw Error(shown + ": cannot write to a pipe");
  const HtsRecord record(::bam_init1());
  int status = 0;
  while ((status = ::sam_read1(&file, header.get(), record.get())) >= 0) {
    input.count_record();
    if (::sam_write1(out.get(), header.get(), record.get()) < 0) refuse_record(shown, input.records());
  }
  refuse_cut(file, shown);
  if (status < -1) {
    throw Error(shown + ", record " + std::to_string(input.records() + 1) +
                ": htslib cannot read it, as its message says; the file is damaged or cut short" +
                (file.format.format == ::cram ? ", or needs its --reference" : ""));
  }
  if (::hts_close(out.release()) != 0) throw Error(shown + ": cannot write to a pipe");
}

// The header is written first. So a record of BCF names nothing that it lacks, although htslib would add it.
void convert_variants(OpenedInput& input, HtsFile out, const std::string& shown) {
  htsFile& file = input.file();
  const VariantHeader header(::bcf_hdr_read(&file));
  if (!header) throw Error(shown + " has no header of variants that htslib can read");
  if (!out || ::bcf_hdr_write(out.get(), header.get()) < 0) throw Error(shown + ": cannot write to a pipe");
  const VariantRecord record(::bcf_init());
  int status = 0;
  while ((status = ::bcf_read(&file, header.get(), record.get())) >= 0) {
    input.count_record();
    if ((record->errcode & (BCF_ERR_CTG_UNDEF | BCF_ERR_TAG_UNDEF)) != 0) {
      throw Error(shown + ", record " + std::to_string(input.records()) +
                  ": its chromosome, or a key of its FILTER, INFO or FORMAT, has no line in the header, which "
                  "BCF needs: add the line, for example by 'bcftools reheader --fai'");
    }
    if (::bcf_write(out.get(), header.get(), record.get()) < 0) refuse_record(shown, input.records());
  }
  refuse_cut(file, shown);
  if (status < -1) {
    throw Error(shown + ", record " + std::to_string(input.records() + 1) +
                ": htslib cannot read it, as its message says; the file is damaged or cut short");
  }
  if (::hts_close(out.release()) != 0) throw Error(shown + ": cannot write to a pipe");
}

void convert(const HtsInput& asked, Descriptor end, std::atomic<std::uint64_t>& bytes_read) {
  const std::string shown = "input " + quote_path(asked.path);
  OpenedInput input(asked, shown, bytes_read);
  HtsFile out = open_end(std::move(end), "wb0");
  asked.contents == HtsContents::kAlignments ? convert_alignments(input, std::move(out), shown)
                                             : convert_variants(input, std::move(out), shown);
}

class Reader final : public HtsReader {
 public:
  explicit Reader(const HtsInput& input)
      : thread_(
            [this, input, end = std::move(pipe_.writing)]() mutable { convert(input, std::move(end), bytes_read_); }) {}
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
  std::uint64_t file_bytes_read() const override { return bytes_read_; }

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
  std::atomic<std::uint64_t> bytes_read_{0};
  Pipe pipe_;
  HtsThread thread_;
};

}  // namespace

std::unique_ptr<HtsReader> open_input(const HtsInput& input) { return std::make_unique<Reader>(input); }

}  // namespace sortie::genomes
