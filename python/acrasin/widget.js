// Lines of counts over time, a slider over the history, and a button that plays it.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#6a51a3", "#444444", "#8c6d31", "#17becf", "#bc80bd", "#999999"];
const WIDTH = 640, HEIGHT = 260, LEFT = 64, RIGHT = 12, TOP = 12, BOTTOM = 34;

function node(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function render({ model, el }) {
  const svg = node("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "img", "font-size": 12, "font-family": "sans-serif" });
  svg.style.maxWidth = "900px";
  const bar = document.createElement("div");
  bar.style.cssText = "display:flex;gap:8px;align-items:center;max-width:900px";
  const play = document.createElement("button");
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = 0;
  slider.step = 1;
  slider.style.flex = "1";
  slider.setAttribute("aria-label", "time");
  const said = document.createElement("output");
  said.style.cssText = "min-width:7em;font-variant-numeric:tabular-nums";
  const legend = document.createElement("div");
  legend.style.cssText = "display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;max-width:900px";
  bar.append(play, slider, said);
  el.append(svg, bar, legend);
  let timer = null;

  const place = () => {
    const rows = model.get("rows"), index = model.get("index");
    let best = 0;
    rows.forEach((row, number) => { if (row <= index) best = number; });
    return best;
  };
  const x = (time) => {
    const times = model.get("times"), last = times[times.length - 1] || 1;
    return LEFT + (WIDTH - LEFT - RIGHT) * (time / last);
  };
  const y = (count) => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (count / (model.get("agents") || 1));

  function move() {
    const now = place(), times = model.get("times"), counts = model.get("counts");
    slider.value = now;
    said.textContent = times.length ? `t = ${times[now].toPrecision(5)}` : "";
    svg.querySelector(".now")?.remove();
    if (!times.length) return;
    const line = node("line", { class: "now", x1: x(times[now]), x2: x(times[now]), y1: TOP, y2: HEIGHT - BOTTOM, stroke: "#888", "stroke-dasharray": "3 3" });
    svg.append(line);
    legend.replaceChildren(...model.get("names").map((name, number) => {
      const item = document.createElement("span");
      const mark = document.createElement("span");
      mark.style.cssText = `display:inline-block;width:1em;height:3px;margin-right:4px;vertical-align:middle;background:${COLOURS[number % COLOURS.length]}`;
      item.append(mark, `${name}: ${counts[now][number]}`);
      return item;
    }));
  }

  function draw() {
    const times = model.get("times"), counts = model.get("counts"), names = model.get("names"), agents = model.get("agents");
    slider.max = Math.max(times.length - 1, 0);
    svg.replaceChildren(
      node("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0), stroke: "currentColor" }),
      node("line", { x1: LEFT, x2: LEFT, y1: TOP, y2: y(0), stroke: "currentColor" }),
      node("text", { x: LEFT - 6, y: y(0) + 4, "text-anchor": "end", fill: "currentColor" }, "0"),
      node("text", { x: LEFT - 6, y: y(agents) + 8, "text-anchor": "end", fill: "currentColor" }, String(agents)),
      node("text", { x: LEFT, y: HEIGHT - 12, fill: "currentColor" }, "0"),
      node("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 12, "text-anchor": "middle", fill: "currentColor" }, "time"),
    );
    if (times.length) {
      svg.append(node("text", { x: WIDTH - RIGHT, y: HEIGHT - 12, "text-anchor": "end", fill: "currentColor" }, times[times.length - 1].toPrecision(4)));
    }
    names.forEach((_, number) => {
      const points = times.map((time, row) => `${x(time).toFixed(1)},${y(counts[row][number]).toFixed(1)}`).join(" ");
      svg.append(node("polyline", { points, fill: "none", stroke: COLOURS[number % COLOURS.length], "stroke-width": 1.6 }));
    });
    move();
  }

  function go(number) {
    const rows = model.get("rows");
    if (!rows.length) return;
    model.set("index", rows[Math.min(number, rows.length - 1)]);
    model.save_changes();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }

  play.addEventListener("click", () => {
    if (timer) return stop();
    if (place() >= model.get("rows").length - 1) go(0);
    play.textContent = "Stop";
    timer = setInterval(() => {
      if (place() >= model.get("rows").length - 1) return stop();
      go(place() + 1);
    }, 60);
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  model.on("change:counts", draw);
  model.on("change:index", move);
  stop();
  draw();
  return () => stop();
}

export default { render };
