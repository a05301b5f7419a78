// Work on a stream that is recorded once and replayed: launches then take the time that the device needs, not the time
// that the host needs.
#pragma once

#include <functional>

#include <cuda_runtime_api.h>

#include "device/cuda_error.hpp"

namespace sortie::bench {

class CallGraph {
 public:
  CallGraph(const std::function<void(cudaStream_t)>& work, cudaStream_t stream) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    work(stream);
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check_cuda(cudaGraphInstantiate(&executable_, graph, 0), "cudaGraphInstantiate");
    check_cuda(cudaGraphDestroy(graph), "cudaGraphDestroy");
  }
  ~CallGraph() { cudaGraphExecDestroy(executable_); }
  CallGraph(const CallGraph&) = delete;
  CallGraph& operator=(const CallGraph&) = delete;

  void replay(cudaStream_t stream) const { check_cuda(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch"); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace sortie::bench
