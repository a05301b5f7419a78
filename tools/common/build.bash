# Common parts of the scripts that build. Source it from the root of the tree.

# nvcc is often installed without being on the PATH.
if ! command -v nvcc >/dev/null && [ -x /usr/local/cuda/bin/nvcc ]; then
  PATH="$PATH:/usr/local/cuda/bin"
fi
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
fi

# How many tests run at once: some wait for a cluster's nodes or a disk, and leave their processor to others.
tests_at_once() {
  echo $(($(nproc) * 2))
}

# configure PRESET [OPTION...]: configures a build; quiet unless it fails.
configure() {
  local preset=$1 log
  shift
  log=$(mktemp)
  if ! cmake --preset "$preset" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
  if grep -q '^SORTIE_CUDA:BOOL=ON' "build/$preset/CMakeCache.txt"; then
    echo "configured build/$preset with the GPU engine"
  else
    echo "configured build/$preset without the GPU engine: no nvcc, or SORTIE_CUDA is off"
  fi
}
