"""tools/check-layers finds violations planted in a small tree, and nothing in a clean one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = None

CLEAN = {
    "include/sortie/error.hpp": "#include <string>\n",
    "include/sortie/sort.hpp": "#include <sortie/error.hpp>\n",
    "src/base/bytes.hpp": "#include <sortie/error.hpp>\n",
    "src/base/host_device.hpp": "#define SORTIE_HD __host__ __device__\n",
    "src/io/files/file.hpp": '#include "base/bytes.hpp"\n',
    "src/io/output/output.hpp": '#include "io/files/file.hpp"\n',
    "src/record/layout.hpp": '#include "base/bytes.hpp"\n',
    "src/device/device_memory.cpp": "#include <cuda_runtime.h>\n",
    "include/sortie/cuda/device_sort.hpp": "#include <cuda_runtime_api.h>\n",
    "src/cuda/device_sort.cpp": '#include <sortie/cuda/device_sort.hpp>\n#include "kernels/merge.cuh"\n',
    "src/base/bytes.cpp": '#include "base/bytes.hpp"\n',
    "src/base/words.hpp": "#include <string>\n",
    "src/base/words.cpp": '#include "base/bytes.hpp"\n#include "base/words.hpp"\n',
    "src/run/run.hpp": '#include "io/files/file.hpp"\n#include "record/layout.hpp"\n',
    "src/entries/entry.hpp": '#include "record/layout.hpp"\n',
    "src/engine/engine.hpp": "#include <span>\n",
    "src/engine/cpu/cpu_engine.cpp": '#include "engine/engine.hpp"\n#include "entries/entry.hpp"\n',
    "src/engine/gpu/gpu_engine.hpp": '#include "engine/engine.hpp"\n// launched <<<so>>>\n',
    "src/engine/gpu/gpu_engine.cpp": '#include "engine/gpu/gpu_engine.hpp"\n#include "kernels/merge.cuh"\n',
    "src/observe/observer.hpp": "#include <sortie/error.hpp>\n",
    "src/pipeline/sort_job.cpp": '#include <sortie/sort.hpp>\n#include "engine/engine.hpp"\n#include "observe/observer.hpp"\n',
    "src/pipeline/arrays/sort_array.cpp": '#include "engine/cpu/cpu_engine.cpp"\n',
    "src/pipeline/setup/engine_choice.cpp": '#include "engine/cpu/cpu_engine.cpp"\n',
    "src/pipeline/output/fetch_finisher.cpp": '#include "entries/entry.hpp"\n#include "engine/engine.hpp"\n',
    "src/pipeline/plan/memory_plan.hpp": '#include "record/layout.hpp"\n',
    "src/pipeline/merge/run_merge.hpp": '#include "pipeline/plan/memory_plan.hpp"\n',
    "src/engine/gpu/chunk/record_sorter.hpp": '#include "engine/engine.hpp"\n',
    "src/engine/gpu/staging/drain_lane.hpp": '#include "engine/gpu/chunk/record_sorter.hpp"\n',
    "src/engine/gpu/module/gpu_module.cpp": '#include "engine/gpu/gpu_engine.hpp"\n#include "cuda/device_sort.cpp"\n',
    "include/sortie/argsort.hpp": "#include <sortie/sort_array.hpp>\n",
    "include/sortie/sort_array.hpp": "#include <sortie/error.hpp>\n",
    "src/python/module.cpp": '#include <sortie/argsort.hpp>\n#include "python/bindings.hpp"\n',
    "src/python/bindings.hpp": "#include <nanobind/nanobind.h>\n",
    "src/python/sortie/columns/keys.py": "from .._errors import Error\n",
    "src/python/sortie/tables/rows.py": "from ..columns.keys import Key\n",
    "src/cli/main.cpp": '#include <sortie/sort.hpp>\n#include "cli/options/usage.hpp"\n',
    "src/cli/options/usage.hpp": "#include <string>\n",
    "kernels/merge.cuh": '#include <cuda_runtime.h>\n#include "record/layout.hpp"\n__global__ void merge();\n',
    "tools/common/checksum_text.hpp": '#include "record/layout.hpp"\n',
    "tools/gen/source.hpp": '#include "tools/common/checksum_text.hpp"\n',
    "tests/io/file_test.cpp": '#include "anything/at_all.hpp"\n',
}

LAYERED = sum(not path.startswith("tests/") and not path.endswith(".py") for path in CLEAN)

# A file, text that is added to it, and the message that must follow.
VIOLATIONS = [
    ("src/python/sortie/columns/keys.py", "from ..tables import rows", "imports from tables: columns may not reach it"),
    ("src/base/bytes.hpp", '#include "io/files/file.hpp"', "base may not reach io/files"),
    ("src/io/files/file.hpp", '#include "record/layout.hpp"', "io/files may not reach record"),
    ("src/io/files/file.hpp", '#include "io/output/output.hpp"', "io/files may not reach io/output"),
    ("src/record/layout.hpp", '#include "io/files/file.hpp"', "record may not reach io/files"),
    ("src/run/run.hpp", '#include "engine/engine.hpp"', "run may not reach engine"),
    ("kernels/merge.cuh", '#include "run/run.hpp"', "kernels may not reach run"),
    ("kernels/merge.cuh", '#include "cuda/device_sort.cpp"', "kernels may not reach cuda"),
    ("src/cuda/device_sort.cpp", '#include "engine/engine.hpp"', "cuda may not reach engine"),
    ("src/entries/entry.hpp", '#include "engine/engine.hpp"', "entries may not reach engine"),
    ("src/entries/entry.hpp", '#include "run/run.hpp"', "entries may not reach run"),
    ("src/run/run.hpp", '#include "entries/entry.hpp"', "run may not reach entries"),
    ("src/engine/cpu/cpu_engine.cpp", '#include "kernels/merge.cuh"', "engine/cpu may not reach kernels"),
    ("src/engine/cpu/cpu_engine.cpp", '#include "engine/gpu/gpu_engine.hpp"', "engine/cpu may not reach engine/gpu"),
    ("src/engine/engine.hpp", '#include "observe/observer.hpp"', "engine may not reach observe"),
    ("src/observe/observer.hpp", '#include "record/layout.hpp"', "observe may not reach record"),
    ("src/pipeline/sort_job.cpp", '#include "cli/options/usage.hpp"', "pipeline may not reach cli/options"),
    ("src/pipeline/sort_job.cpp", '#include "engine/gpu/gpu_engine.hpp"', "pipeline may not reach engine/gpu"),
    ("src/pipeline/sort_job.cpp", "#include <engine/gpu/gpu_engine.hpp>", "pipeline may not reach engine/gpu"),
    ("src/cli/main.cpp", "#include <../src/engine/gpu/gpu_engine.hpp>", "cli may not reach engine/gpu"),
    ("src/pipeline/sort_job.cpp", '#include "engine/cpu/cpu_engine.cpp"', "pipeline may not reach engine/cpu"),
    ("src/pipeline/output/fetch_finisher.cpp", '#include "engine/cpu/cpu_engine.cpp"',
     "pipeline/output may not reach engine/cpu"),
    ("src/pipeline/setup/engine_choice.cpp", '#include "engine/gpu/gpu_engine.hpp"',
     "pipeline/setup may not reach engine/gpu"),
    ("src/pipeline/sort_job.cpp", '#include "device/device_memory.cpp"', "pipeline may not reach device"),
    ("src/pipeline/plan/memory_plan.hpp", '#include "pipeline/merge/run_merge.hpp"',
     "pipeline/plan may not reach pipeline/merge"),
    ("src/pipeline/merge/run_merge.hpp", '#include "pipeline/sort_job.cpp"', "pipeline/merge may not reach pipeline"),
    ("src/engine/gpu/chunk/record_sorter.hpp", '#include "engine/gpu/staging/drain_lane.hpp"',
     "engine/gpu/chunk may not reach engine/gpu/staging"),
    ("src/engine/gpu/gpu_engine.hpp", '#include "engine/gpu/module/gpu_module.cpp"',
     "engine/gpu may not reach engine/gpu/module"),
    ("src/engine/gpu/gpu_engine.hpp", '#include "cuda/device_sort.cpp"', "engine/gpu may not reach cuda"),
    ("src/cli/main.cpp", '#include "io/files/file.hpp"', "cli may not reach io/files"),
    ("src/cli/options/usage.hpp", '#include "../../io/files/file.hpp"', "cli/options may not reach io/files"),
    ("src/run/run.hpp", "#include <sortie/sort.hpp>", "run may not reach sort.hpp"),
    ("include/sortie/error.hpp", '#include "base/bytes.hpp"', "include/sortie may not reach base"),
    ("src/python/module.cpp", '#include "base/bytes.hpp"', "python may not reach base"),
    ("include/sortie/error.hpp", "#include <sortie/sort_array.hpp>", "include/sortie may not reach sort.hpp"),
    ("tools/gen/source.hpp", '#include "engine/engine.hpp"', "tools/gen may not reach engine"),
    ("src/io/files/file.hpp", '#include "no/such.hpp"', "is no file of a layer"),
    ("src/engine/gpu/gpu_engine.hpp", "__global__ void sort();", "device syntax"),
    ("src/engine/gpu/gpu_engine.hpp", "inline void f() { kernel<<<1, 1>>>(); }", "device syntax"),
    ("src/pipeline/sort_job.cpp", "#include <cuda_runtime.h>", "the runtime API is for"),
    ("src/io/bytes.hpp", "", "bytes.hpp is the name of several files"),
    ("tests/io/bytes.hpp", "", "bytes.hpp is the name of several files"),
    ("src/extra/new.hpp", "", "belongs to no layer"),
    ("src/base/bytes.hpp", '#include "base/bytes.hpp"', "includes itself: src/base/bytes.hpp -> src/base/bytes.hpp"),
    ("src/base/bytes.cpp", '#include "base/words.hpp"',
     "src/base/bytes: includes itself: src/base/bytes -> src/base/words -> src/base/bytes"),
    ("src/engine/gpu/gpu_engine.hpp", '#include "engine/gpu/gpu_engine.cpp"', "includes itself: src/engine/gpu/gpu_engine"),
]


def check(tree):
    with tempfile.TemporaryDirectory() as root:
        for path, text in tree.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)


class CheckLayers(unittest.TestCase):
    def test_clean_tree_passes(self):
        result = check(CLEAN)
        self.assertEqual((result.returncode, result.stdout.strip()), (0, f"{LAYERED} files, 0 violations"))

    def test_every_planted_violation_is_found(self):
        for path, line, message in VIOLATIONS:
            with self.subTest(path=path, line=line):
                result = check({**CLEAN, path: CLEAN.get(path, "") + line + "\n"})
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(path.rpartition(".")[0], result.stdout)
                self.assertIn(message, result.stdout)
                self.assertIn(" 1 violations", result.stdout)

    def test_a_tree_without_sources_is_no_success(self):
        self.assertEqual(check({"README.md": ""}).returncode, 2)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
