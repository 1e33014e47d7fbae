// What answers rest on: each layer, its edition, its date, its coverage; stale or failed in words.
import { get } from "./api.js";
import { away, byId, fill, h, ready, refusal, say } from "./dom.js";
import { collection, fit, makeMap, show } from "./map.js";
import { count, ft } from "./numbers.js";
import { LAYER } from "./texts.js";

const COVER = { color: "#1d4f5e", width: 2, fill: 0.2 };

start();

async function start() {
  ready();
  try {
    const [{ layers }, about] = await Promise.all([get("/v1/layers"), get("/v1/page")]);
    const map = await makeMap(byId("map"), about);
    const order = Object.keys(LAYER.state);
    layers.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || a.title.localeCompare(b.title));
    fill(byId("answer"), summary(layers, order), layers.map((layer) => card(layer, map)));
    const first = layers.find(({ id }) => id === "parcels") ?? layers[0];
    if (first?.editions.length && map) await cover(first, map);
  } catch (problem) {
    say(refusal(problem));
  }
}

function summary(layers, order) {
  const counts = order.map((state) => [state, layers.filter((layer) => layer.state === state).length]).filter(([, n]) => n);
  return h("ul", { class: "sum" }, counts.map(([state, n]) => h("li", { class: LAYER.state[state][1] }, LAYER.count(LAYER.state[state][0], n))));
}

function card(layer, map) {
  const [word, kind] = LAYER.state[layer.state] ?? [layer.state, "unknown"];
  return h("article", { class: `card ${kind}`, "data-layer": layer.id },
    h("h2", { class: "name" }, layer.title, h("span", { class: "tag" }, word)),
    layer.why ? h("p", {}, sentence(layer.why)) : null,
    LAYER.means[layer.state] ? h("p", {}, LAYER.means[layer.state]) : null,
    layer.about ? h("p", { class: "small" }, layer.about) : null,
    h("p", { class: "small" }, LAYER.publisher(layer.publisher), " ", LAYER.good(ft(layer.accuracy_ft), layer.scale ? ` (1:${count(layer.scale)})` : ""), layer.complete ? "" : LAYER.incomplete),
    layer.editions.map(edition),
    layer.withdrawn.map((one) => h("p", { class: "small" }, LAYER.withdrawn(one))),
    layer.editions.length && map ? h("button", { type: "button", class: "quiet", "aria-label": `${LAYER.show}: ${layer.title}`, click: () => cover(layer, map, true) }, LAYER.show) : null);
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;

function edition(one) {
  return h("p", { class: "small" }, LAYER.edition(one, count(one.count_kept), count(one.count_in)), one.source_url ? [" ", away(one.source_url, LAYER.source)] : null,
    one.remarks.length ? h("ul", {}, one.remarks.map((remark) => h("li", {}, remark))) : null);
}

async function cover(layer, map, aloud = false) {
  try {
    const told = await get(`/v1/layers/${encodeURIComponent(layer.id)}`);
    const ground = collection(told.editions.map(({ coverage }) => ({ type: "Feature", properties: {}, geometry: coverage })));
    for (const lit of document.querySelectorAll(".card.lit")) lit.classList.remove("lit");
    document.querySelector(`.card[data-layer="${layer.id}"]`)?.classList.add("lit");
    show(map, "coverage", ground, COVER);
    fit(map, ground);
    if (aloud) say(ground.features.length ? LAYER.shown(layer.title) : LAYER.silent(layer.title));
  } catch (problem) {
    say(refusal(problem));
  }
}
