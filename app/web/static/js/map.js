// The map: our own layers, nothing from elsewhere unless the operator names a background.
import { TEXT } from "./texts.js";

const EMPTY = { type: "FeatureCollection", features: [] };
const LIBRARY = "/static/vendor/maplibre-gl/maplibre-gl";

let maplibre = null;

/** Make the map in an element, or return null where the libraries were not placed. */
export async function makeMap(container, { basemap = null, bounds = null } = {}) {
  try {
    maplibre = await import(`${LIBRARY}.mjs`);
  } catch {
    container.textContent = TEXT.noMap;
    return null;
  }
  maplibre.setWorkerUrl(`${LIBRARY}-worker.mjs`);
  const map = new maplibre.Map({
    container,
    style: style(basemap),
    bounds: bounds ?? [-73.51, 41.23, -69.92, 42.89],
    fitBoundsOptions: { padding: 20 },
    attributionControl: { compact: true },
    locale: { "Map.Title": TEXT.mapTitle },
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new maplibre.ScaleControl({ unit: "imperial" }), "bottom-right");
  await new Promise((resolve) => map.once("style.load", resolve));
  return map;
}

function style(basemap) {
  const sources = {};
  const layers = [{ id: "ground", type: "background", paint: { "background-color": "#f2f6f6" } }];
  if (basemap) {
    sources.basemap = { type: "raster", tiles: [basemap], tileSize: 256, maxzoom: 19, attribution: TEXT.background(new URL(basemap.replaceAll(/[{}]/g, "")).hostname) };
    layers.push({ id: "basemap", type: "raster", source: "basemap" });
  }
  return { version: 8, sources, layers };
}

/** Return the box around a view, half as large again on every side. */
export function widened(view) {
  const east = (view.getEast() - view.getWest()) / 2;
  const north = (view.getNorth() - view.getSouth()) / 2;
  return new maplibre.LngLatBounds([view.getWest() - east, view.getSouth() - north], [view.getEast() + east, view.getNorth() + north]);
}

/** Show named features over everything, or under a layer. A look is one colour or an expression, or a colour for each
 * value of one property. */
export function show(map, name, data, look) {
  if (!map) return;
  if (map.getSource(name)) {
    map.getSource(name).setData(data);
    return;
  }
  const { width = 3, fill = 0.15, dash = null } = look;
  const under = map.getLayer(look.under) ? look.under : undefined;
  const color = typeof look.color === "string" || Array.isArray(look.color) ? look.color : ["match", ["get", look.by], ...Object.entries(look.color).flat(), "#777777"];
  map.addSource(name, { type: "geojson", data });
  map.addLayer({ id: `${name}-fill`, type: "fill", source: name, filter: ["==", ["geometry-type"], "Polygon"], paint: { "fill-color": color, "fill-opacity": fill } }, under);
  map.addLayer({ id: `${name}-line`, type: "line", source: name, paint: { "line-color": color, "line-width": width, ...(dash ? { "line-dasharray": dash } : {}) } }, under);
  map.addLayer({ id: `${name}-circle`, type: "circle", source: name, filter: ["==", ["geometry-type"], "Point"], paint: { "circle-color": color, "circle-radius": 6 } }, under);
}

export const clear = (map, ...names) => names.forEach((name) => map?.getSource(name)?.setData(EMPTY));

export const collection = (features) => ({ type: "FeatureCollection", features: features.filter(({ geometry }) => geometry) });

/** Move the view to GeoJSON features; does nothing for none. */
export function fit(map, data, padding = 60) {
  if (!map) return;
  const bounds = new maplibre.LngLatBounds();
  const walk = (part) => (typeof part[0] === "number" ? bounds.extend(part) : part.forEach(walk));
  data.features.forEach(({ geometry }) => geometry && walk(geometry.coordinates));
  if (!bounds.isEmpty()) map.fitBounds(bounds, { padding, maxZoom: 18, duration: 0 });
}

/** Call back with the properties of a parcel that is clicked. */
export function onParcel(map, picked) {
  if (!map?.getLayer("parcels-fill")) return;
  map.on("click", "parcels-fill", (event) => picked(event.features[0].properties));
  map.on("mouseenter", "parcels-fill", () => (map.getCanvas().style.cursor = "pointer"));
  map.on("mouseleave", "parcels-fill", () => (map.getCanvas().style.cursor = ""));
}
