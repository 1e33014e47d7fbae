// A file is read before anything is screened, and what was understood is shown; what is wrong can be declared.
import { postForm } from "./api.js";
import { byId, fill, h, pairs, refusal, say, table } from "./dom.js";
import { count, sqft } from "./numbers.js";
import { ACTIVITIES, READING, SYSTEMS, TEXT } from "./texts.js";

const MOST_ROWS = 12;

/** Wire the drop zone. `changed` is told whether there is a usable file, `placed` where it lies (null: nowhere any more)
 * and gives whether that could be shown; `parcels` gives the LOC_IDs chosen. */
export function makeFiles({ changed, parcels, placed }) {
  const state = { files: [], options: {} };
  const read = async () => {
    changed(false);
    placed(null);
    say(TEXT.reading);
    try {
      const told = await postForm("/v1/inspections", { file: state.files }, { ...state.options, parcel: parcels() });
      showReading(told, declare, placed(told.bounds_4326));
      say("");
      changed(true);
    } catch (problem) {
      say("");
      showRefusal(problem, declare);
    }
  };
  const declare = (options) => {
    state.options = { ...state.options, ...options };
    return read();
  };
  const take = (files) => {
    if (!files.length) return;
    Object.assign(state, { files, options: {} });
    read();
  };
  wireDrop(take);
  return { all: () => state.files, options: () => state.options, forget: () => {
      forget(state);
      placed(null);
    } };
}

function forget(state) {
  Object.assign(state, { files: [], options: {} });
  byId("file").value = "";
  byId("reading").hidden = true;
}

function wireDrop(take) {
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

function showReading(inspection, declare, isShown) {
  const { format, crs, crs_title: title, crs_source: source, layer, n_features: n, area_sqft: area, notes, layers } = inspection;
  tellThere(h("div", { class: "box good" },
    h("h3", {}, READING.understood),
    pairs([
      [READING.format, format],
      [READING.crs, `${title || crs}${title && title !== crs ? ` (${crs})` : ""}, ${READING.source[source]}`],
      [READING.layer, layer],
      [READING.features, count(n)],
      [READING.area, sqft(area)],
    ]),
    isShown ? h("p", {}, h("strong", {}, READING.where)) : null,
    notes.length ? [h("p", {}, READING.changed), h("ul", {}, notes.map(({ message }) => h("li", {}, message)))] : h("p", {}, READING.unchanged),
    features(inspection),
    h("details", {}, h("summary", {}, READING.otherwise), declaring({ crs: true, layers: layers.length > 1 ? layers : [], suggestions: [], isKnown: true }, declare))));
}

function features({ features: all, n_features: n }) {
  const rows = all.slice(0, MOST_ROWS).map(({ id, activity, area_sqft: area, role }) => [id, activity ? (ACTIVITIES[activity] ?? activity) : role === "disturbance" ? READING.notSaid : role, sqft(area)]);
  return [table({ caption: READING.each, columns: READING.columns, rows, numbers: [2] }), n > MOST_ROWS ? h("p", { class: "small" }, READING.others(n - MOST_ROWS)) : null];
}

function showRefusal(problem, declare) {
  const wants = { crs_missing: { crs: true }, crs_unknown: { crs: true }, outside_area: { crs: true }, axes_swapped: { crs: true }, several_layers: { layers: problem.suggestions }, layer_unknown: { layers: problem.suggestions } }[problem.code];
  const told = wants?.crs ? { ...problem, detail: problem.detail?.replace(/Say which it is with crs=.*$/, READING.choose) } : problem;
  tellThere(refusal(told), wants ? declaring({ layers: [], crs: false, ...wants, suggestions: problem.suggestions }, declare) : null);
}

function tellThere(...children) {
  byId("reading").hidden = false;
  fill(byId("reading"), ...children);
}

/** A form to say the coordinate system or the layer. */
function declaring({ crs, layers, suggestions, isKnown = false }, declare) {
  const systems = new Map(SYSTEMS);
  const proposed = suggestions.filter((one) => /^EPSG:\d+$/.test(one));
  const order = [...new Set([...proposed, ...systems.keys()])];
  const form = h("form", { class: "box" },
    crs ? [h("label", { for: "say-crs" }, READING.declareCrs), h("select", { id: "say-crs", name: "crs" }, h("option", { value: "" }, isKnown ? READING.keep : READING.pick), order.map((one) => h("option", { value: one }, systems.get(one) ?? one))),
      h("label", { for: "own-crs" }, READING.ownCrs), h("input", { id: "own-crs", name: "own", type: "text", pattern: "EPSG:[0-9]+", maxlength: 12 })] : null,
    layers.length ? [h("label", { for: "say-layer" }, READING.chooseLayer), h("select", { id: "say-layer", name: "layer" }, layers.map((one) => h("option", { value: one }, one)))] : null,
    h("div", { class: "go" }, h("button", {}, READING.again)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    declare(declared(new FormData(form)));
  });
  return form;
}

function declared(form) {
  const crs = form.get("own") || form.get("crs");
  return { ...(crs === null ? {} : { crs: crs || undefined }), ...(form.get("layer") ? { layer: form.get("layer") } : {}) };
}
