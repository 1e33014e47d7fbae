// The map: our own layers, nothing from elsewhere unless the operator names a background.
import { TEXT } from "./texts.js";

const EMPTY = { type: "FeatureCollection", features: [] };
export const LAYERS = [
  { id: "floodplain", title: "Special flood hazard areas", fill: "#4a90c2", opacity: 0.25, only: ["!=", ["get", "sfha"], "F"] },
  { id: "priority_habitat", title: "Priority habitat", fill: "#c79a2b", opacity: 0.22 },
  { id: "wetlands", title: "Wetlands", fill: "#2f8f6b", opacity: 0.4 },
  { id: "water_bodies", title: "Water bodies", fill: "#2b6cb0", opacity: 0.45 },
  { id: "streams", title: "Streams", line: "#2b6cb0", width: 2 },
  { id: "certified_vernal_pools", title: "Certified vernal pools", circle: "#0b7285" },
  { id: "parcels", title: "Parcels", fill: "#ffffff", opacity: 0.01, line: "#75858b", width: 1, from: 13.5 },
];

let maplibre = null;

/** Make the map in an element, or return null where the libraries were not placed. */
export async function makeMap(container, basemap = null) {
  try {
    maplibre = await import("/static/vendor/maplibre-gl/maplibre-gl.mjs");
  } catch {
    container.textContent = TEXT.noMap;
    return null;
  }
  maplibre.setWorkerUrl("/static/vendor/maplibre-gl/maplibre-gl-worker.mjs");
  const map = new maplibre.Map({
    container,
    style: style(basemap),
    bounds: [-73.51, 41.23, -69.92, 42.89],
    attributionControl: { compact: true },
    locale: { "Map.Title": "Map of the site" },
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new maplibre.ScaleControl({ unit: "imperial" }), "bottom-right");
  await new Promise((resolve) => map.once("load", resolve));
  return map;
}

function style(basemap) {
  const sources = {};
  const layers = [{ id: "ground", type: "background", paint: { "background-color": "#f2f6f6" } }];
  if (basemap) {
    sources.basemap = { type: "raster", tiles: [basemap], tileSize: 256 };
    layers.push({ id: "basemap", type: "raster", source: "basemap" });
  }
  return { version: 8, sources, layers };
}

/** Add the service's own layers; each is asked again, by the map's worker, when the view leaves what it holds. */
export function addOwnLayers(map, ready) {
  for (const layer of LAYERS.filter(({ id }) => ready.has(id))) {
    map.addSource(layer.id, { type: "geojson", data: EMPTY });
    const only = layer.only ? { filter: layer.only } : {};
    if (layer.fill) map.addLayer({ ...only, id: `${layer.id}-fill`, type: "fill", source: layer.id, minzoom: layer.from ?? 10, paint: { "fill-color": layer.fill, "fill-opacity": layer.opacity } });
    if (layer.line ?? layer.fill) map.addLayer({ ...only, id: `${layer.id}-line`, type: "line", source: layer.id, minzoom: layer.from ?? 10, paint: { "line-color": layer.line ?? layer.fill, "line-width": layer.width ?? 1 } });
    if (layer.circle) map.addLayer({ id: `${layer.id}-circle`, type: "circle", source: layer.id, minzoom: 10, paint: { "circle-color": layer.circle, "circle-radius": 5 } });
  }
  const held = new Map();
  const refresh = () => LAYERS.filter(({ id }) => map.getSource(id)).forEach((layer) => ask(map, layer, held));
  map.on("moveend", refresh);
  refresh();
}

function ask(map, layer, held) {
  if (map.getZoom() < (layer.from ?? 10)) return;
  const view = map.getBounds();
  const box = held.get(layer.id);
  if (box && box.contains(view.getSouthWest()) && box.contains(view.getNorthEast())) return;
  const wide = widened(view);
  held.set(layer.id, wide);
  const bbox = [wide.getWest(), wide.getSouth(), wide.getEast(), wide.getNorth()].map((x) => x.toFixed(6)).join(",");
  map.getSource(layer.id).setData(`${location.origin}/v1/layers/${layer.id}/items?bbox=${bbox}&limit=10000`);
}

function widened(view) {
  const east = (view.getEast() - view.getWest()) / 2;
  const north = (view.getNorth() - view.getSouth()) / 2;
  return new maplibre.LngLatBounds([view.getWest() - east, view.getSouth() - north], [view.getEast() + east, view.getNorth() + north]);
}

/** Show named features over everything, styled by their own kind. */
export function show(map, name, data, { color, width = 3, fill = 0.15, dash = null }) {
  if (!map) return;
  if (map.getSource(name)) {
    map.getSource(name).setData(data);
    return;
  }
  map.addSource(name, { type: "geojson", data });
  map.addLayer({ id: `${name}-fill`, type: "fill", source: name, filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": color, "fill-opacity": fill } });
  map.addLayer({ id: `${name}-line`, type: "line", source: name, paint: { "line-color": color, "line-width": width, ...(dash ? { "line-dasharray": dash } : {}) } });
  map.addLayer({ id: `${name}-circle`, type: "circle", source: name, filter: ["==", ["geometry-type"], "Point"], paint: { "circle-color": color, "circle-radius": 6 } });
}

export const clear = (map, name) => map?.getSource(name)?.setData(EMPTY);

/** Move the view to GeoJSON features; does nothing for none. */
export function fit(map, data, padding = 60) {
  if (!map) return;
  const bounds = new maplibre.LngLatBounds();
  const walk = (part) => (typeof part[0] === "number" ? bounds.extend(part) : part.forEach(walk));
  (data.features ?? [data]).forEach(({ geometry }) => geometry && walk(geometry.coordinates));
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding, maxZoom: 18, duration: 0 });
}

/** Call back with the LOC_ID of a parcel that is clicked. */
export function onParcel(map, picked) {
  if (!map?.getLayer("parcels-fill")) return;
  map.on("click", "parcels-fill", (event) => picked(event.features[0].properties, event));
  map.on("mouseenter", "parcels-fill", () => (map.getCanvas().style.cursor = "pointer"));
  map.on("mouseleave", "parcels-fill", () => (map.getCanvas().style.cursor = ""));
}
