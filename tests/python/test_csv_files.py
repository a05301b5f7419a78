"""Files of CSV and TSV: headers, what quotes mean, and columns whose names are numbers."""

import pytest

import sortie


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in"
    path.write_text('name,"2024"\nb,"2"\nc,1\n"a ""x""\n",3\n')
    return path


def sorted_text(path, **options):
    output = path.parent / "out"
    sortie.sort_files(path, output, **options)
    return output.read_text()


def test_the_first_record_is_a_header_unless_header_lines_is_0(table):
    assert sorted_text(table, format="csv", keys="2,2n").startswith('name,"2024"\nc,1\nb,"2"\n')
    assert sorted_text(table, format="csv", unique=True, top=1).startswith('name,"2024"\n')
    assert sorted_text(table, format="csv", shuffle="seed").startswith('name,"2024"\n')
    assert sorted_text(table, format="csv", header_lines=0, keys="2,2n").endswith('name,"2024"\n')
    assert sortie.check_files(table, format="csv", header_lines=2, keys="2,2n") is None


def test_columns_without_a_header_have_no_names(table):
    for names in ({"keys": "name"}, {"keys": "1,1", "group": "sum:x"}):
        with pytest.raises(sortie.Error, match="no column is called '.*' with header_lines=0"):
            sorted_text(table, format="csv", header_lines=0, **names)


def test_a_number_may_be_the_name_of_a_column(table):
    assert sorted_text(table, format="csv", keys="2024:n").startswith('name,"2024"\nc,1\nb,"2"\n')
    assert sorted_text(table, format="csv", keys="1,1", group="sum:2024").splitlines()[0] == "name,sum(2024)"
    with pytest.raises(sortie.Error, match="there is no column 3: the header has 2, .name., .2024."):
        sorted_text(table, format="csv", keys="3:n")
    table.write_text("a,1\n1,2\n")
    with pytest.raises(sortie.Error, match=".1. is the name of a column, and can be read as field 1"):
        sorted_text(table, format="csv", keys="1:n")


def test_quotes_mean_what_is_asked_for(tmp_path):
    path = tmp_path / "in"
    path.write_text('k\tv\n"b\t1\na"\t2\n')
    assert sorted_text(path, format="tsv", keys="v:n:desc") == 'k\tv\na"\t2\n"b\t1\n'
    assert sorted_text(path, format="csv", separator="\t", keys="k", quote="none") == 'k\tv\n"b\t1\na"\t2\n'
    assert sorted_text(path, format="tsv", keys="k", quote="csv") == path.read_text()
    path.write_text('k,v\n"b \\" c",1\n"a,",2\n')
    assert sorted_text(path, format="csv", keys="k", quote="backslash") == 'k,v\n"a,",2\n"b \\" c",1\n'
    with pytest.raises(sortie.Error, match="quote needs format=\"csv\" or format=\"tsv\""):
        sorted_text(path, quote="csv")


def test_faults_of_quotes_are_refused_by_line_and_column(table):
    table.write_text('a,b\n1,"x"y\n')
    with pytest.raises(sortie.Error, match='line 2, column 6: text behind .* with quote="none"') as error:
        sorted_text(table, format="csv")
    assert error.value.remedy == "quoting"
    assert not (table.parent / "out").exists()
    with pytest.raises(sortie.Error, match="line 1, column 3: an opening quote without a closing one"):
        sorter = sortie.Sorter(format="csv", header_lines=0)
        sorter.push(b'1,"x\n')
        list(sorter)


def test_fields_of_tsv_in_quotes_are_told(table):
    table.write_text('k\tv\n"b"\t1\na\t2\n')
    with pytest.warns(sortie.SortWarning, match='1 of 2 records have a field that begins and ends with a quote'):
        sorted_text(table, format="tsv", keys="v:n")
    assert sorted_text(table, format="tsv", keys="v:n", quote="none", strict=True) == 'k\tv\n"b"\t1\na\t2\n'
