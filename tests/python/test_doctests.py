"""The examples in the docstrings of the public modules: what they show is what comes out."""

import doctest
import importlib

import pytest

import sortie

for _module in ("numpy", "pyarrow", "pandas", "polars", "duckdb"):
    pytest.importorskip(_module, reason=f"{_module} is not installed (every test of this file)")

MODULES = ("sortie", "sortie.cluster")


def examples():
    """All that have some, by the names under which users know them."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    for module_name in MODULES:
        module = importlib.import_module(module_name)
        things = {module_name: module.__doc__, **{f"{module_name}.{name}": getattr(module, name)
                                                  for name in getattr(module, "__all__", ())}}
        for name, thing in things.items():
            # Functions are made by takes_options(), classes come from private modules: module=False takes them as they
            # are.
            for test in finder.find(thing, name, module=False, globs={}):
                if test.examples:
                    yield pytest.param(test, id=test.name)


@pytest.mark.parametrize("test", list(examples()))
def test_examples_show_what_comes_out(test, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = []
    doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(test, out=told.append)
    assert not told, "".join(told)


def test_tables_have_examples():
    found = {param.id for param in examples()}
    assert {"sortie.sort_table", "sortie.sort_parquet", "sortie.SortedTable", "sortie.TableReport",
            "sortie.group_table", "sortie.join_tables", "sortie.StreamedTable"} <= found
