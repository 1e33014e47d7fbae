// Draw and edit polygons; what is drawn is handed on as GeoJSON with the activity of each.
const WIDTH_OF_A_MILLIMETRE = 9; // decimals of a degree kept by the drawing

/** Return a drawing board on the map, or null where the libraries are missing. `changed` is told after each change. */
export async function makeDrawing(map, changed) {
  if (!map) return null;
  const [draw, adapter] = await Promise.all([
    import("/static/vendor/terra-draw/terra-draw.module.js"),
    import("/static/vendor/terra-draw-maplibre-gl-adapter/terra-draw-maplibre-gl-adapter.module.js"),
  ]);
  const corners = { feature: { draggable: true, coordinates: { midpoints: true, draggable: true, deletable: true } } };
  const board = new draw.TerraDraw({
    adapter: new adapter.TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: WIDTH_OF_A_MILLIMETRE }),
    modes: [new draw.TerraDrawPolygonMode(), new draw.TerraDrawSelectMode({ flags: { polygon: corners } })],
  });
  board.start();
  board.setMode("static");
  board.on("finish", () => changed());
  board.on("change", (_ids, kind) => kind === "delete" && changed());
  return {
    mode: (name) => board.setMode(name),
    polygons: () => board.getSnapshot().filter((feature) => feature.geometry.type === "Polygon" && feature.properties.mode === "polygon"),
    remove: (id) => board.removeFeatures([id]),
    clear: () => board.clear(),
  };
}
