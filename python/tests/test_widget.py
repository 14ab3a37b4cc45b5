"""Tests of the widget of a history, in Python and in a notebook that is executed without a browser."""

import pathlib
import shutil
import subprocess
import sys

import pytest

from acrasin import Simulation, Snapshot
from acrasin.widget import LINES, ROWS, seen

MAJORITY = {("A", "B"): ("U", "U"), ("A", "U"): ("A", "A"), ("B", "U"): ("B", "B")}


class Moved(Snapshot):
    def update(self, index=None):
        super().update(index)
        self.at = index


def test_a_slider_moves_all_snapshots_and_follows_runs():
    pytest.importorskip("anywidget")
    sim = Simulation({"A": 600, "B": 400}, MAJORITY, seed=1)
    moved = Moved()
    sim.add_snapshot(moved)
    widget = sim.widget()
    assert widget.times == [0.0] and widget.counts == [[600, 400, 0]] and widget.names == ["A", "B", "U"]
    sim.run(5, history_interval=0.5, timer=False)
    assert widget.times == sim.times and widget.index == len(sim.times) - 1 and moved.at is None
    assert [row[0] for row in widget.counts] == [int(config[0]) for config in sim.configs]
    widget.index = 3
    assert moved.at == 3 and moved.time == sim.times[3]
    assert (moved.config == sim.configs[3]).all()
    sim.set_snapshot_time(2.0)
    assert widget.index == 4
    bundle = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in (bundle[0] if isinstance(bundle, tuple) else bundle)
    sim.run(1, timer=False)
    assert widget.times == sim.times
    with pytest.raises(ValueError, match="accepted"):
        sim.widget(0)


def test_what_cannot_be_seen_is_not_sent():
    sim = Simulation({0: 500, 50: 500}, lambda a, b: ((a + b) // 2, (a + b + 1) // 2), seed=1)
    sim.run(50, history_interval=0.05, timer=False)
    assert len(sim.times) > ROWS and len(sim.state_list) > LINES
    sent = seen(sim)
    assert len(sent["times"]) == ROWS and sent["rows"][0] == 0 and sent["rows"][-1] == len(sim.times) - 1
    assert len(sent["names"]) == LINES and sent["names"][-1] == "40 others"
    assert all(sum(row) == 1000 for row in sent["counts"])


def test_without_the_package_the_message_names_the_extra(monkeypatch):
    from acrasin import widget

    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._class.cache_clear()
    with pytest.raises(ImportError, match=r"acrasin\[anywidget\]"):
        Simulation({"A": 6, "B": 4}, MAJORITY, seed=1).widget()


def test_a_notebook_with_the_widget_runs_headless():
    pytest.importorskip("anywidget")
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    new = nbformat.v4
    book = new.new_notebook(cells=[
        new.new_code_cell(
            "from acrasin import Simulation\n"
            f"sim = Simulation({{'A': 600, 'B': 400}}, {MAJORITY!r}, seed=1)\nshown = sim.widget()\nshown"
        ),
        new.new_code_cell("sim.run(timer=False)\nshown.index = 2\nprint(len(shown.times), shown.index)"),
    ])
    client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3")
    client.execute()
    first, second = (cell.outputs for cell in book.cells)
    identity = first[0].data["application/vnd.jupyter.widget-view+json"]["model_id"]
    rows, index = second[0].text.split()
    assert int(rows) > 5 and index == "2"
    # The data that the page received through messages of the kernel.
    state = client.widget_state[identity]
    assert state["index"] == 2 and len(state["times"]) == int(rows) and state["names"] == ["A", "B", "U"]


DRAWN = """
import {{ readFileSync }} from "node:fs";
class Node {{
  constructor(name) {{ Object.assign(this, {{ name, children: [], attributes: {{}}, style: {{}}, listeners: {{}}, textContent: "" }}); }}
  setAttribute(key, value) {{ this.attributes[key] = value; if (key === "class") this.kind = value; }}
  append(...nodes) {{ for (const one of nodes) {{ if (one instanceof Node) one.parent = this; this.children.push(one); }} }}
  replaceChildren(...nodes) {{ this.children = []; this.append(...nodes); }}
  remove() {{ this.parent.children = this.parent.children.filter((one) => one !== this); }}
  querySelector(what) {{ return this.children.find((one) => "." + one.kind === what) ?? null; }}
  addEventListener(name, call) {{ this.listeners[name] = call; }}
}}
globalThis.document = {{ createElement: (name) => new Node(name), createElementNS: (_, name) => new Node(name) }};
const code = readFileSync({path!r}, "utf8");
const widget = (await import("data:text/javascript," + encodeURIComponent(code))).default;
const state = {{ names: ["A", "B"], times: [0, 1, 2], rows: [0, 10, 20], counts: [[6, 4], [8, 2], [10, 0]], agents: 10, index: 0 }};
const followers = {{}};
const model = {{
  get: (key) => state[key], on: (name, call) => {{ followers[name] = call; }}, save_changes: () => {{}},
  set: (key, value) => {{ state[key] = value; followers["change:" + key]?.(); }},
}};
const el = new Node("div");
const leave = widget.render({{ model, el }});
const [svg, bar, legend] = el.children;
const [play, slider, said] = bar.children;
const lines = () => svg.children.filter((one) => one.name === "polyline").map((one) => one.attributes.points);
slider.value = 2;
slider.listeners.input();
const scrubbed = [state.index, said.textContent, legend.children.map((one) => one.children[1])];
state.counts = [[6, 4], [6, 4], [6, 4]];
followers["change:counts"]();
console.log(JSON.stringify({{ scrubbed, lines: lines(), marks: svg.children.filter((one) => one.kind === "now").length, play: play.textContent, max: slider.max }}));
leave();
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_the_page_draws_a_line_for_each_state_and_scrubs(tmp_path):
    import json

    path = pathlib.Path(__file__).resolve().parents[1] / "acrasin" / "widget.js"
    script = tmp_path / "drawn.mjs"
    script.write_text(DRAWN.format(path=str(path)))
    told = json.loads(subprocess.run(["node", script], capture_output=True, text=True, check=True, timeout=60).stdout)
    assert told["scrubbed"] == [20, "t = 2.0000", ["A: 10", "B: 0"]]
    heights = [[float(point.split(",")[1]) for point in line.split()] for line in told["lines"]]
    # Constant counts are horizontal lines; larger counts are higher.
    assert all(len(set(line)) == 1 for line in heights) and heights[0][0] < heights[1][0]
    assert told["marks"] == 1 and told["play"] == "Play" and told["max"] == 2
