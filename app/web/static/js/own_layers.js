// The service's own layers on the map, asked for by box as the view moves. What would be cut short is not drawn at
// all, and that is said: a map that silently leaves something out would lie.
import { get } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { widened } from "./map.js";
import { MAPPED, TEXT } from "./texts.js";

const EMPTY = { type: "FeatureCollection", features: [] };
const FROM = 10;
export const LAYERS = [
  { id: "floodplain", title: MAPPED.floodplain, fill: "#4a90c2", opacity: 0.25, only: ["!=", ["get", "sfha"], "F"] },
  { id: "priority_habitat", title: MAPPED.priority_habitat, fill: "#c79a2b", opacity: 0.22 },
  { id: "wetlands", title: MAPPED.wetlands, fill: "#2f8f6b", opacity: 0.4 },
  { id: "water_bodies", title: MAPPED.water_bodies, fill: "#2b6cb0", opacity: 0.45 },
  { id: "streams", title: MAPPED.streams, line: "#2b6cb0", width: 2 },
  { id: "certified_vernal_pools", title: MAPPED.certified_vernal_pools, circle: "#0b7285" },
  { id: "parcels", title: MAPPED.parcels, fill: "#ffffff", opacity: 0, line: "#75858b", width: ["interpolate", ["linear"], ["zoom"], 11, 0.3, 15, 1.1], from: 11 },
];

/** Add those of the layers that answer now; `ids` narrows them down. */
export function addOwnLayers(map, layers, ids = null) {
  const usable = new Set(layers.filter(({ state }) => state === "ready" || state === "stale").map(({ id }) => id));
  const shown = LAYERS.filter(({ id }) => usable.has(id) && (!ids || ids.includes(id)));
  shown.forEach((layer) => addLayer(map, layer));
  const held = new Map();
  const refresh = () => ask(map, shown.filter((layer) => isWanted(map, layer, held)), held);
  map.on("moveend", refresh);
  refresh();
  return shown;
}

function addLayer(map, layer) {
  const { id, only, from: minzoom = FROM } = layer;
  const common = { source: id, minzoom, ...(only ? { filter: only } : {}) };
  map.addSource(id, { type: "geojson", data: EMPTY });
  if (layer.fill) map.addLayer({ ...common, id: `${id}-fill`, type: "fill", paint: { "fill-color": layer.fill, "fill-opacity": layer.opacity, "fill-antialias": false } });
  if (layer.line ?? layer.fill) map.addLayer({ ...common, id: `${id}-line`, type: "line", paint: { "line-color": layer.line ?? layer.fill, "line-width": layer.width ?? 1 } });
  if (layer.circle) map.addLayer({ ...common, id: `${id}-circle`, type: "circle", paint: { "circle-color": layer.circle, "circle-radius": 5 } });
}

function isWanted(map, layer, held) {
  if (map.getZoom() < (layer.from ?? FROM)) return false;
  const view = map.getBounds();
  const box = held.get(layer.id);
  return !(box && box.contains(view.getSouthWest()) && box.contains(view.getNorthEast()));
}

/** Count first, then let the map's worker fetch what can be shown in whole. */
async function ask(map, layers, held) {
  if (!layers.length) return;
  const wide = widened(map.getBounds());
  for (const { id } of layers) held.set(id, wide);
  const bbox = [wide.getWest(), wide.getSouth(), wide.getEast(), wide.getNorth()].map((x) => x.toFixed(6)).join(",");
  const { counts, limit } = await get("/v1/page/counts", { bbox, layers: layers.map(({ id }) => id).join(",") }).catch(() => ({ counts: {} }));
  const tooMany = layers.filter(({ id }) => counts[id] > limit);
  for (const layer of layers) fetchItems(map, layer, counts[layer.id], tooMany.includes(layer), { bbox, limit });
  for (const { id } of tooMany) held.delete(id);
  tell(tooMany);
}

function fetchItems(map, { id }, count, isTooMany, { bbox, limit }) {
  const source = map.getSource(id);
  if (!count || isTooMany) source.setData(EMPTY);
  else source.setData(`${location.origin}/v1/layers/${id}/items?bbox=${bbox}&limit=${limit}`);
}

function tell(tooMany) {
  const note = byId("map-note");
  note.hidden = tooMany.length === 0;
  note.textContent = tooMany.length ? TEXT.tooMany(tooMany.map(({ title }) => title.toLowerCase()).join(", ")) : "";
}

/** Write the legend: the layers shown and what else is drawn, a row each of [title, colour]. */
export function writeLegend(layers, more) {
  const own = layers.map(({ title, fill: area, line, circle }) => [title, area && area !== "#ffffff" ? area : (line ?? circle)]);
  fill(byId("legend"), [...own, ...more].map(([title, colour]) => {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = colour;
    return h("li", {}, swatch, title);
  }));
}
