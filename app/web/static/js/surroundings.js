// What lies around the work, on the map: mapped shapes and distance rings of an answer, each to be shown or hidden, and
// by name what cannot be drawn. A picture: every figure stands in the answer.
import { get } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { isByWord, reasonOf, statusInWords } from "./findings.js";
import { clear, collection, show } from "./map.js";
import { amount, ft } from "./numbers.js";
import { ANSWER, AROUND } from "./texts.js";

const COLOURS = {
  wetlands: "#2f8f6b", buffer_zone: "#c2571a", riverfront: "#3d7ea6", vernal_pools: "#0b7285", floodplain: "#4a90c2", priority_habitat: "#c79a2b",
  estimated_habitat: "#a88432", outstanding_resource_waters: "#6a51a3", impaired_waters: "#7a4fb0", water_supply: "#7a6a00",
};
const OTHER = "#6b7479";
const BEYOND = "#5b3a8c";
const FRAME = { color: "#4b5d64", width: 1.5, fill: 0, dash: [3, 3] };
const STRONGEST = 0.5;
const WEAKEST = 0.14;

/** Open the legend where it leaves room for the map; before the view is fitted, for the map is smaller then. */
export function openLegend(map) {
  if (!map || !matchMedia("(min-width: 56.01rem) and (min-height: 40rem)").matches) return;
  const legend = byId("around-open").parentElement;
  legend.classList.add("tall");
  legend.open = true;
  map.resize();
}

/** Ask for what lies around an answer and write it into the legend. `isStill` says whether it is the answer shown. */
export async function showSurroundings(map, screening, isStill) {
  clear(map, "around", "frame");
  fill(byId("around"), map ? h("p", {}, AROUND.asking) : null);
  if (!map) return;
  const drawn = await get(`${screening.url}/surroundings.geojson`).catch((problem) => problem);
  if (!isStill()) return;
  if (!drawn.features) {
    fill(byId("around"), h("p", { role: "note" }, AROUND.failed(drawn.detail ?? drawn.message)));
    return;
  }
  show(map, "frame", collection(drawn.features.filter(({ properties }) => properties.what === "frame")), FRAME);
  tell(map, drawn, screening);
}

function tell(map, { features, findings }, screening) {
  const told = new Map(screening.findings.map((one) => [keyOf({ ...one, layer: one.layer.id }), one]));
  const isClose = (row) => told.get(keyOf(row))?.certainty === "too_close_to_call";
  const words = (row) => said(row, told.get(keyOf(row)));
  const rows = findings.filter((row) => row.drawn && (row.shapes || row.bands_ft.length || row.beyond));
  const chosen = new Set(rows.filter((row) => row.status === "affected" || row.beyond || (row.shapes && !row.bands_ft.length) || isClose(row)).map(keyOf));
  const draw = () => paint(map, features.filter(({ properties }) => chosen.has(keyOf(properties))), rows);
  const toggle = (row, on) => {
    if (on) chosen.add(keyOf(row));
    else chosen.delete(keyOf(row));
    draw();
  };
  fill(byId("around"),
    rows.length ? [h("fieldset", {}, h("legend", {}, AROUND.title), rows.map((row) => tick(row, { on: chosen.has(keyOf(row)), words: words(row), toggle }))),
      h("p", { class: "small" }, AROUND.note)] : null,
    listed(AROUND.nothing, findings.filter((row) => row.drawn && !rows.includes(row)), words),
    notDrawn(findings.filter((row) => !row.drawn), words));
  byId("around-open").textContent = AROUND.summary(findings.filter((row) => !row.drawn).length);
  draw();
}

const keyOf = ({ theme, layer }) => `${layer}/${theme}`;
const colourOf = ({ theme }) => COLOURS[theme] ?? OTHER;

/** Name a finding with its status, in the words of its card. */
function said({ title, status, theme }, finding) {
  const word = statusInWords({ ...finding, status, theme });
  const isBeyond = status === "none_mapped" && finding?.certainty === "certain" && finding.nearest_ft > 0;
  if (isBeyond) return `${title} (${AROUND.mappedBeyond(ft(finding.nearest_ft))})`;
  const nearest = finding && isByWord(finding) ? AROUND.mappedAt : AROUND.nearest;
  return `${title} (${finding?.nearest_ft > 0 ? nearest(word, ft(finding.nearest_ft)) : word})`;
}

function tick(row, { on, words, toggle }) {
  return h("label", { class: "tick" },
    h("input", { type: "checkbox", checked: on, change: (event) => toggle(row, event.target.checked) }),
    h("span", {}, words, h("span", { class: "bands" }, swatches(row), row.drawn_to_ft ? h("span", { class: "band" }, AROUND.thinned(ft(row.drawn_to_ft))) : null, row.beyond ? h("span", { class: "band" }, swatch(BEYOND, 0.25), AROUND.beyond) : null)));
}

/** A swatch and its words for each ring, and for the shape itself. */
function swatches(row) {
  const from = (at) => (at ? row.bands_ft[at - 1] : 0);
  const rings = row.bands_ft.map((to, at) => [strength(row, to), ANSWER.upTo(amount(from(at)), amount(to))]);
  const all = [...(row.shapes ? [[1, AROUND.mapped]] : []), ...rings];
  return all.map(([opacity, words]) => h("span", { class: "band" }, swatch(colourOf(row), opacity), words));
}

function swatch(colour, opacity) {
  const box = h("span", { class: "swatch" });
  box.style.background = `color-mix(in srgb, ${colour} ${Math.round(100 * opacity)}%, white)`;
  return box;
}

/** The nearer a ring, the stronger. */
function strength({ bands_ft: bands }, to) {
  const step = bands.length > 1 ? (STRONGEST - WEAKEST) / (bands.length - 1) : 0;
  return STRONGEST - step * bands.indexOf(to);
}

function listed(title, rows, words) {
  return rows.length ? [h("p", {}, h("strong", {}, title)), h("ul", { class: "plain" }, rows.map((row) => h("li", {}, words(row))))] : null;
}

/** What is not drawn, gathered under its reason. */
function notDrawn(rows, words) {
  const reason = (row) => reasonOf({ title: row.title, why: row.why_not });
  const all = [...new Set(rows.map(reason))];
  return listed(AROUND.notDrawn, all, (one) => `${rows.filter((row) => reason(row) === one).map(words).join("; ")}. ${one}`);
}

/** Draw the chosen ones under the work: rings by their distance, then shapes. */
function paint(map, features, rows) {
  const row = (properties) => rows.find((one) => keyOf(one) === keyOf(properties));
  const look = ({ properties }) => {
    if (properties.what === "beyond") return { color: BEYOND, opacity: 0.12 };
    return { color: colourOf(properties), opacity: properties.what === "ring" ? strength(row(properties), properties.to_ft) : 0.55 };
  };
  const data = collection(features.map((one) => ({ ...one, properties: { ...one.properties, ...look(one) } })));
  show(map, "around", data, { color: ["get", "color"], fill: ["get", "opacity"], width: 1, under: "lots-fill" });
}
