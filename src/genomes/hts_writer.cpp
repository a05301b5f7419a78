// SAM and CRAM by htslib, which reads BAM from a pipe on one thread, and writes to another pipe, from which a second
// thread takes the bytes of the file.
//
//   write() ──▶ pipe ──▶ htslib ──▶ pipe ──▶ HtsOutput::take
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include <sortie/error.hpp>

#include "base/descriptor.hpp"
#include "genomes/hts_contents.hpp"
#include "genomes/hts_file.hpp"
#include "genomes/hts_pipe.hpp"
#include "io/files/sigpipe_block.hpp"

namespace sortie::genomes {
namespace {

using formats::HtsOutput;
using formats::HtsWriter;

class Writer final : public HtsWriter {
 public:
  explicit Writer(const HtsOutput& output)
      : taker_([this, take = output.take, end = std::move(made_.reading)] { take_all(take, end); }),
        // The ends come first: where there is no memory for the rest they are closed, so that the taker ends.
        thread_([in = std::move(given_.reading), out = std::move(made_.writing), output]() mutable {
          convert(output, std::move(in), std::move(out));
        }) {}
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
  void take_all(const std::function<void(std::span<const std::byte>)>& take, const Descriptor& reading) {
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

  static void convert(const HtsOutput& output, Descriptor in, Descriptor out) {
    const HtsFile file = open_end(std::move(in), "r");
    const HtsHeader header(file ? ::sam_hdr_read(file.get()) : nullptr);
    HtsFile made = open_end(std::move(out), output.is_cram ? "wc" : "w");
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

std::unique_ptr<HtsWriter> write_alignments(const HtsOutput& output) { return std::make_unique<Writer>(output); }

}  // namespace sortie::genomes
