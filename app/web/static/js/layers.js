// What answers rest on: each layer, its edition, its date, its coverage; stale or failed in words.
import { byId, fill, h, refusal, say } from "./dom.js";
import { get } from "./api.js";
import { fit, makeMap, show } from "./map.js";
import { ft } from "./numbers.js";

const COVER = { color: "#1d4f5e", width: 2, fill: 0.2 };
const STATES = {
  ready: ["Ready", "clear"],
  stale: ["Stale", "close"],
  missing: ["Not loaded", "unknown"],
  failed: ["Failed", "affected"],
  empty: ["Loaded, with no features", "unknown"],
};

start();

async function start() {
  try {
    const [{ layers }, about] = await Promise.all([get("/v1/layers"), get("/v1/page").catch(() => ({}))]);
    const map = await makeMap(byId("map"), about.basemap);
    if (about.bounds && map) map.fitBounds(about.bounds, { padding: 20, duration: 0 });
    const order = Object.keys(STATES);
    layers.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.title.localeCompare(b.title));
    fill(byId("answer"), layers.map((layer) => card(layer, map)));
  } catch (problem) {
    say(refusal(problem));
  }
}

function card(layer, map) {
  const [word, kind] = STATES[layer.state] ?? [layer.state, "unknown"];
  return h("article", { class: `card ${kind}`, "data-layer": layer.id },
    h("h3", {}, layer.title, h("span", { class: "tag" }, word)),
    layer.why ? h("p", {}, layer.why) : null,
    layer.about ? h("p", { class: "small" }, layer.about) : null,
    h("p", { class: "small" }, `Good to ${ft(layer.accuracy_ft)}${layer.scale ? ` (1:${layer.scale.toLocaleString("en-US")})` : ""}. ${layer.complete ? "" : "Known to miss things the law protects."}`),
    layer.editions.map(edition),
    layer.editions.length && map ? h("button", { type: "button", click: () => cover(layer, map) }, "Show what it covers") : null);
}

function edition(one) {
  const repaired = one.repaired ? `, ${one.repaired} repaired` : "";
  return h("p", { class: "small" }, `${one.part}: edition ${one.edition}${one.retrieved ? `, retrieved ${one.retrieved}` : ""}, ${(one.count_kept ?? 0).toLocaleString("en-US")} of ${(one.count_in ?? 0).toLocaleString("en-US")} features kept${repaired}.`);
}

async function cover(layer, map) {
  try {
    const told = await get(`/v1/layers/${layer.id}`);
    const features = told.editions.filter(({ coverage }) => coverage).map(({ coverage }) => ({ type: "Feature", properties: {}, geometry: coverage }));
    show(map, "coverage", { type: "FeatureCollection", features }, COVER);
    fit(map, { features });
    say(features.length ? `${layer.title}: what it covers is drawn on the map.` : "This layer says nothing of its coverage.");
  } catch (problem) {
    say(refusal(problem));
  }
}
