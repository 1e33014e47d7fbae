// Screen a site: where, what, and the answer beside the map.
import { byId, fill, h, refusal, say } from "./dom.js";
import { get, postForm } from "./api.js";
import { makeDrawing } from "./draw.js";
import { askFacts } from "./facts.js";
import { addOwnLayers, clear, fit, LAYERS, makeMap, onParcel, show } from "./map.js";
import { parcelChooser } from "./parcels.js";
import { showReading, showRefusal } from "./reading.js";
import { showScreening } from "./result.js";
import { ACTIVITIES, TEXT } from "./texts.js";

const WORK = { color: "#a3251b", width: 3, fill: 0.2 };
const LOTS = { color: "#1d4f5e", width: 2.5, fill: 0.05 };
const LIT = { color: "#0b62d6", width: 4, fill: 0.25 };
const state = { files: [], options: {}, activities: new Map(), facts: {}, map: null, board: null, answer: null, shapes: null, definitions: [], bylaws: [] };

start();

async function start() {
  const chooser = parcelChooser({ changed: () => undefined, located: (parcel) => showLot(parcel) });
  state.parcels = chooser.list;
  wireFile();
  byId("screen").addEventListener("click", () => ask());
  const [about, layers, facts, bylaws] = await Promise.all([get("/v1/page").catch(() => ({})), get("/v1/layers"), get("/v1/facts"), get("/v1/bylaws")]).catch((problem) => {
    say(refusal(problem));
    return [{}, { layers: [] }, { facts: [] }, { bylaws: [] }];
  });
  state.definitions = facts.facts ?? facts;
  state.bylaws = bylaws.bylaws ?? bylaws;
  state.map = await makeMap(byId("map"), about.basemap);
  const ready = new Set(layers.layers.filter(({ state: is }) => is === "ready" || is === "stale").map(({ id }) => id));
  if (state.map) await prepareMap(ready, about, chooser);
  await openShared();
}

async function prepareMap(ready, about, chooser) {
  if (about.bounds) state.map.fitBounds(about.bounds, { padding: 20, duration: 0 });
  addOwnLayers(state.map, ready);
  fill(byId("legend"), LAYERS.filter(({ id }) => ready.has(id)).map(legendRow), legendRow({ title: "The work", fill: WORK.color }));
  onParcel(state.map, (properties) => !drawing() && chooser.choose(properties.loc_id ?? properties.id, { move: false }));
  state.board = await makeDrawing(state.map, redraw);
  wireDrawing();
}

function legendRow({ title, fill: colour, line, circle }) {
  const swatch = h("span", { class: "swatch" });
  swatch.style.background = colour && colour !== "#ffffff" ? colour : (line ?? circle ?? colour);
  return h("li", {}, swatch, title);
}

function showLot(parcel) {
  const lot = { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: parcel.geometry }] };
  show(state.map, "lot", lot, LOTS);
  fit(state.map, lot);
}

// ------------------------------------------------------------------ a file

function wireFile() {
  const drop = byId("drop");
  byId("file").addEventListener("change", () => take([...byId("file").files]));
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    take([...event.dataTransfer.files]);
  });
}

async function take(files) {
  if (!files.length) return;
  state.files = files;
  state.options = {};
  await read();
}

async function read() {
  byId("screen").disabled = true;
  say(TEXT.reading);
  try {
    showReading(await postForm("/v1/inspections", state.files, { ...state.options, parcel: state.parcels() }));
    say("");
    byId("screen").disabled = false;
  } catch (problem) {
    say("");
    showRefusal(problem, (options) => {
      state.options = { ...state.options, ...options };
      read();
    });
  }
}

// ------------------------------------------------------------------ a drawing

const drawing = () => byId("draw").getAttribute("aria-pressed") === "true" || byId("edit").getAttribute("aria-pressed") === "true";

function wireDrawing() {
  byId("draw").addEventListener("click", () => press("draw", "polygon"));
  byId("edit").addEventListener("click", () => press("edit", "select"));
  byId("clear").addEventListener("click", () => {
    state.board.clear();
    redraw();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && drawing() && press(null, "static"));
}

function press(id, mode) {
  const on = id !== null && byId(id).getAttribute("aria-pressed") !== "true";
  for (const name of ["draw", "edit"]) byId(name).setAttribute("aria-pressed", String(on && name === id));
  state.board.mode(on ? mode : "static");
  say(on && mode === "polygon" ? TEXT.drawHint : "");
}

function redraw() {
  const polygons = state.board.polygons();
  if (polygons.length) {
    state.files = [];
    byId("reading").hidden = true;
  }
  fill(byId("drawn"), polygons.map((feature, i) => drawnRow(feature, i)));
  byId("screen").disabled = polygons.length === 0 && state.files.length === 0;
  byId("edit").disabled = byId("clear").disabled = polygons.length === 0;
}

function drawnRow(feature, i) {
  const id = `activity-${feature.id}`;
  const select = h("select", { id, change: (event) => state.activities.set(feature.id, event.target.value) },
    Object.entries(ACTIVITIES).map(([value, text]) => h("option", { value, selected: state.activities.get(feature.id) === value }, text)));
  return h("li", {}, h("label", { for: id }, `${TEXT.drawnName(i + 1)}: ${TEXT.activity}`), select,
    h("button", { type: "button", "aria-label": `${TEXT.remove} ${TEXT.drawnName(i + 1)}`, click: () => {
      state.board.remove(feature.id);
      redraw();
    } }, TEXT.remove));
}

function drawnFile() {
  const features = state.board.polygons().map((feature, i) => {
    const activity = state.activities.get(feature.id);
    return { type: "Feature", id: String(i + 1), properties: activity ? { activity } : {}, geometry: feature.geometry };
  });
  return new File([JSON.stringify({ type: "FeatureCollection", features })], "drawn-on-the-map.geojson", { type: "application/geo+json" });
}

// ------------------------------------------------------------------ the answer

async function ask() {
  say(TEXT.screening);
  byId("screen").disabled = true;
  const files = state.files.length ? state.files : [drawnFile()];
  try {
    const screening = await postForm("/v1/screenings", files, { ...state.options, ...state.facts, parcel: state.parcels() });
    if (drawing()) press(null, "static");
    await tell(screening);
    history.replaceState(null, "", `/?screening=${encodeURIComponent(screening.id)}`);
    say(TEXT.done);
    byId("answer").focus();
  } catch (problem) {
    say(refusal(problem));
  } finally {
    byId("screen").disabled = false;
  }
}

async function openShared() {
  const id = new URLSearchParams(location.search).get("screening");
  if (!id) return;
  try {
    await tell(await get(`/v1/screenings/${encodeURIComponent(id)}`));
  } catch (problem) {
    say(refusal(problem));
  }
}

async function tell(screening) {
  state.answer = screening;
  showScreening(screening, { light, bylaws: state.bylaws });
  askFacts(screening, state.definitions, (given) => {
    state.facts = { ...state.facts, ...given };
    if (state.files.length || state.board?.polygons().length) ask();
    else say("Drop the file again to screen with these facts.");
  });
  byId("share").addEventListener("click", async () => {
    await navigator.clipboard?.writeText(`${location.origin}/?screening=${screening.id}`);
    say(TEXT.copied);
  });
  state.shapes = await get(`/v1/screenings/${encodeURIComponent(screening.id)}.geojson`).catch(() => null);
  if (state.shapes) draw(state.shapes);
}

const of = (shapes, kinds) => ({ type: "FeatureCollection", features: shapes.features.filter(({ properties }) => kinds.includes(properties.what)) });

function draw(shapes) {
  clear(state.map, "lit");
  show(state.map, "lots", of(shapes, ["parcel"]), LOTS);
  show(state.map, "work", of(shapes, ["disturbance"]), WORK);
  fit(state.map, of(shapes, ["parcel", "disturbance"]));
}

function light(finding) {
  for (const card of document.querySelectorAll(".card.lit")) card.classList.remove("lit");
  document.querySelector(`[data-theme="${finding.theme}"][data-layer="${finding.layer.id}"]`)?.classList.add("lit");
  const hits = (state.shapes?.features ?? []).filter(({ properties }) => properties.layer === finding.layer.id && (properties.themes ?? []).includes(finding.theme));
  show(state.map, "lit", { type: "FeatureCollection", features: hits }, LIT);
}
