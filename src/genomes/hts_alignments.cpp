// SAM and CRAM by htslib. A thread reads the file and writes BAM to a pipe, in blocks of BGZF that are stored and not
// packed: htslib 1.16 fails when it is to write none. Whoever wants the bytes reads them there. An output goes the
// other way, through two pipes.
//
//   file ──▶ htslib ──▶ pipe ──▶ read()
//   write() ──▶ pipe ──▶ htslib ──▶ pipe ──▶ HtsOutput::take
#include "genomes/hts_alignments.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include <sortie/error.hpp>

#include "base/quote.hpp"
#include "base/raw_bytes.hpp"
#include "genomes/hts_file.hpp"
#include "genomes/hts_pipe.hpp"
#include "io/files/sigpipe_block.hpp"
#include "io/input/bgzf_block.hpp"

namespace sortie::genomes {
namespace {

using formats::HtsAlignments;
using formats::HtsInput;
using formats::HtsOutput;
using formats::HtsWriter;

constexpr std::size_t kPieceBytes = 1 << 20;

ssize_t read_pipe(int descriptor, std::span<std::byte> target) {
  ssize_t got = 0;
  do {
    got = ::read(descriptor, target.data(), target.size());
  } while (got < 0 && errno == EINTR);
  return got;
}

void set_reference(htsFile& file, const std::string& reference) {
  if (!reference.empty() && ::hts_set_fai_filename(&file, reference.c_str()) != 0) {
    throw Error("the reference " + quote_path(reference) + " cannot be read: give a FASTA file by --reference");
  }
}

class Reader final : public HtsAlignments {
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

  static void convert(const HtsInput& input, int end) {
    Descriptor unused(end);
    const std::string shown = "input " + quote_path(input.path);
    const HtsFile file(::hts_open(input.path.c_str(), "r"));
    if (!file) throw Error(shown + " cannot be opened: " + std::strerror(errno));
    set_reference(*file, input.reference);
    if (input.threads > 1) ::hts_set_threads(file.get(), static_cast<int>(input.threads));
    const HtsHeader header(::sam_hdr_read(file.get()));
    if (!header) throw Error(shown + " has no header of alignments that htslib can read");
    HtsFile out = open_end(unused.release(), "wb0");
    if (!out || ::sam_hdr_write(out.get(), header.get()) < 0) throw Error(shown + ": cannot write to a pipe");
    const HtsRecord record(::bam_init1());
    std::uint64_t count = 0;
    int status = 0;
    while ((status = ::sam_read1(file.get(), header.get(), record.get())) >= 0) {
      ++count;
      if (::sam_write1(out.get(), header.get(), record.get()) < 0) return;  // nobody reads on
    }
    if (status < -1) {
      throw Error(
          shown + ", record " + std::to_string(count + 1) +
          ": htslib cannot read it, as its message says; the file is damaged or cut short, or a CRAM file needs "
          "its --reference");
    }
    if (::hts_close(out.release()) != 0) throw Error(shown + ": cannot write to a pipe");
  }

  std::vector<std::byte> blocks_;  // not yet unpacked
  BgzfUnpacker unpacker_;
  Pipe pipe_;
  HtsThread thread_;
};

class Writer final : public HtsWriter {
 public:
  explicit Writer(const HtsOutput& output)
      : taker_([this, take = output.take, end = made_.reading.release()] { take_all(take, end); }),
        thread_([output, in = given_.reading.release(), out = made_.writing.release()] { convert(output, in, out); }) {}
  ~Writer() override { given_.writing.close(); }

  void write(std::span<const std::byte> contents) override {
    if (buffer_.size() + contents.size() > kPieceBytes) flush();
    buffer_.insert(buffer_.end(), contents.begin(), contents.end());
  }

  void finish() override {
    flush();
    given_.writing.close();
    // What could not be taken is why htslib could not write.
    taker_.join();
    thread_.join();
  }

 private:
  void flush() {
    if (has_failed_) end_early();
    const SigpipeBlock block;
    std::span<const std::byte> rest(buffer_);
    while (!rest.empty()) {
      const ssize_t put = ::write(given_.writing.number(), rest.data(), rest.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) end_early();
      rest = rest.subspan(static_cast<std::size_t>(put));
    }
    buffer_.clear();
  }

  /// Throws what has failed.
  [[noreturn]] void end_early() {
    given_.writing.close();
    taker_.join();
    thread_.join();
    throw Error("the output cannot be written by htslib");
  }

  // What cannot be taken is read all the same: the threads of htslib 1.16 may crash when a write of CRAM fails.
  void take_all(const std::function<void(std::span<const std::byte>)>& take, int end) {
    const Descriptor reading(end);
    std::vector<std::byte> piece(kPieceBytes);
    std::exception_ptr failure;
    for (ssize_t got; (got = read_pipe(reading.number(), piece)) > 0;) {
      if (failure) continue;
      try {
        take(std::span<const std::byte>(piece).first(static_cast<std::size_t>(got)));
      } catch (...) {
        failure = std::current_exception();
        has_failed_ = true;
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  static void convert(const HtsOutput& output, int in, int out) {
    Descriptor to(out);
    const HtsFile file = open_end(in, "r");
    const HtsHeader header(file ? ::sam_hdr_read(file.get()) : nullptr);
    HtsFile made = open_end(to.release(), output.is_cram ? "wc" : "w");
    if (!header || !made) throw Error("the output cannot be begun by htslib");
    set_reference(*made, output.reference);
    if (output.is_cram && output.reference.empty()) ::hts_set_opt(made.get(), CRAM_OPT_NO_REF, 1);
    if (output.threads > 1) ::hts_set_threads(made.get(), static_cast<int>(output.threads));
    bool is_written = ::sam_hdr_write(made.get(), header.get()) >= 0;
    const HtsRecord record(::bam_init1());
    int status = 0;
    while (is_written && (status = ::sam_read1(file.get(), header.get(), record.get())) >= 0) {
      is_written = ::sam_write1(made.get(), header.get(), record.get()) >= 0;
    }
    is_written &= ::hts_close(made.release()) == 0;
    if (!is_written || status < -1) {
      throw Error("htslib cannot write the output, as its message says; CRAM may need the --reference of its records");
    }
  }

  Pipe given_;
  Pipe made_;
  std::vector<std::byte> buffer_;
  std::atomic<bool> has_failed_ = false;
  HtsThread taker_;
  HtsThread thread_;
};

}  // namespace

std::unique_ptr<HtsAlignments> open_alignments(const HtsInput& input) { return std::make_unique<Reader>(input); }

std::unique_ptr<HtsWriter> write_alignments(const HtsOutput& output) { return std::make_unique<Writer>(output); }

}  // namespace sortie::genomes
