// The drawing board: polygons drawn on the map with a pointer, or typed in; handed on as GeoJSON.
const DECIMALS = 9; // of a degree: a tenth of a millimetre, what the board keeps

/** Return a drawing board on the map. `changed` is told after each change. */
export async function makeBoard(map, changed) {
  const [draw, adapter] = await Promise.all([
    import("/static/vendor/terra-draw/terra-draw.module.js"),
    import("/static/vendor/terra-draw-maplibre-gl-adapter/terra-draw-maplibre-gl-adapter.module.js"),
  ]);
  const corners = { feature: { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true } } };
  const board = new draw.TerraDraw({
    adapter: new adapter.TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: DECIMALS }),
    modes: [new draw.TerraDrawPolygonMode(), new draw.TerraDrawSelectMode({ flags: { polygon: corners } })],
  });
  board.start();
  board.setMode("static");
  board.on("finish", () => changed());
  board.on("change", (_ids, kind) => kind === "delete" && changed());
  return {
    mode: (name) => board.setMode(name),
    polygons: () => board.getSnapshot().filter(({ geometry, properties }) => geometry.type === "Polygon" && properties.mode === "polygon"),
    add: (ring, id) => added(board, ring, id),
    remove: (id) => board.removeFeatures([id]),
    clear: () => board.clear(),
  };
}

/** Put a ring of [longitude, latitude] on the board; returns the polygon that is there now, or why it is not. */
function added(board, ring, id) {
  const rounded = ring.map((place) => place.map((value) => Number(value.toFixed(DECIMALS))));
  const isClosed = rounded.at(0).every((value, at) => value === rounded.at(-1)[at]);
  const coordinates = [isClosed ? rounded : [...rounded, rounded[0]]];
  if (id && board.hasFeature(id)) board.removeFeatures([id]);
  const [result] = board.addFeatures([{ ...(id ? { id } : {}), type: "Feature", properties: { mode: "polygon" }, geometry: { type: "Polygon", coordinates } }]);
  return result.valid ? { polygon: board.getSnapshotFeature(result.id ?? id), why: null } : { polygon: null, why: result.reason ?? "" };
}
