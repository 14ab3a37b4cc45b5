"""Tests that files are written completely or not at all, and that no other file is touched, as by the command."""

import gzip
import os
import signal
import subprocess
import sys
import time

import pytest

from acrasin import Scenario, species, write_stochkit_file

LOCKS = "(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: 1))"
MET = """(
    seed: 1,
    topology: Contacts(path: "met.txt", format: Instants(resolution: 1), rounds_per_step: 4),
    scheduler: Sequential,
    work: Locks(each: 1),
)"""
A, B = species("A B")

#: Every function that writes a file.
WRITERS = {
    "record": lambda path: Scenario(LOCKS).record(path),
    "save": lambda path: Scenario(LOCKS).save(path),
    "view": lambda path: Scenario(LOCKS).view().save(path),
    "stochkit": lambda path: write_stochkit_file(path, [(A >> B).k(1)], {A: 5}),
}
posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")


@pytest.fixture(params=WRITERS)
def write(request):
    return WRITERS[request.param]


def names(folder):
    return sorted(os.listdir(folder))


def test_a_file_is_replaced_as_a_whole(write, tmp_path):
    path = tmp_path / "out.ron"
    write(path)
    text = path.read_text()
    path.write_text("old" * 100_000)
    path.chmod(0o640)
    number = path.stat().st_ino
    write(path)
    assert path.read_text() == text
    assert path.stat().st_mode & 0o777 == 0o640 or sys.platform == "win32"
    assert path.stat().st_ino != number
    assert names(tmp_path) == ["out.ron"]


@posix
@pytest.mark.parametrize("place", ["link", "dangling", "folder link", "pipe"])
def test_links_and_pipes_are_refused(write, tmp_path, place):
    victim, path = tmp_path / "victim", tmp_path / "out.ron"
    if place == "link":
        victim.write_text("mine")
    elif place == "folder link":
        victim.mkdir()
    if place == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(victim)
    before = names(tmp_path)
    with pytest.raises(OSError, match="is a pipe or a device" if place == "pipe" else "is a link.*accepted"):
        write(path)
    assert names(tmp_path) == before
    assert place != "link" or victim.read_text() == "mine"
    assert path.is_symlink() or path.is_fifo()


@posix
def test_a_device_is_refused():
    for write in (WRITERS["record"], WRITERS["view"], WRITERS["stochkit"]):
        with pytest.raises(OSError, match="/dev/null is a pipe or a device"):
            write("/dev/null")


def test_a_folder_is_refused(tmp_path):
    path = tmp_path / "out.ron"
    path.mkdir()
    for write in WRITERS.values():
        with pytest.raises(IsADirectoryError, match="is a folder"):
            write(path)
    assert names(tmp_path) == ["out.ron"] and names(path) == []


def test_a_missing_folder_is_named(tmp_path):
    for name in ("record", "view", "stochkit"):
        with pytest.raises(FileNotFoundError, match="not-there"):
            WRITERS[name](tmp_path / "not-there" / "out")
    assert names(tmp_path) == []


@posix
def test_of_several_files_none_is_written_if_one_cannot_be(tmp_path):
    scenario = Scenario(MET, files={"met.txt": "0 0 1\n1 1 2\n2 0 2\n"})
    path = scenario.save(tmp_path)
    assert names(tmp_path) == ["met.txt", "scenario.ron"]
    path.unlink()
    path.symlink_to("elsewhere")
    (tmp_path / "met.txt").write_text("mine")
    with pytest.raises(OSError, match="is a link"):
        scenario.save(tmp_path)
    assert (tmp_path / "met.txt").read_text() == "mine"
    assert names(tmp_path) == ["met.txt", "scenario.ron"]


def test_what_a_run_is_made_from_is_not_replaced(tmp_path):
    met, path = tmp_path / "met.txt", tmp_path / "scenario.ron"
    met.write_text("0 0 1\n1 1 2\n2 0 2\n")
    path.write_text(MET)
    scenario = Scenario(path).changed({"seed": 2})
    view = scenario.view()
    for target in (met, path):
        for write in (scenario.record, view.save):
            with pytest.raises(ValueError, match="would replace a file that this run reads"):
                write(target)
    # A scenario may replace its own file, but not its data files.
    met.rename(tmp_path / "met.ron")
    path.write_text(MET.replace("met.txt", "met.ron"))
    with pytest.raises(ValueError, match="would replace"):
        Scenario(path).save(tmp_path / "met.ron")
    assert (tmp_path / "met.ron").read_text().startswith("0 0 1")
    Scenario(path).changed({"seed": 3}).save(path)
    assert Scenario(path).seed == 3
    assert names(tmp_path) == ["met.ron", "scenario.ron"]


def test_a_recording_whose_name_ends_in_gz_is_compressed(tmp_path):
    for name in ("run.jsonl", "run.jsonl.gz"):
        Scenario(LOCKS).record(tmp_path / name)
    assert gzip.decompress((tmp_path / "run.jsonl.gz").read_bytes()) == (tmp_path / "run.jsonl").read_bytes()


@posix
def test_a_run_that_is_stopped_leaves_the_earlier_recording(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("complete")
    script = f"""
from acrasin import Scenario
text = "(seed: 1, topology: Ring(nodes: 5), scheduler: Sequential, work: Locks(each: Forever), stop: [Locks(4000000000)])"
print("ready", flush=True)
try:
    Scenario(text).record({str(path)!r})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.7)
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "stopped\n"
    child.wait()
    assert path.read_text() == "complete"
    assert names(tmp_path) == ["run.jsonl"]
