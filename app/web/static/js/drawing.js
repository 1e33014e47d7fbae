// What is drawn, beside the map: each polygon with its activity and its corners, for the pointer and the keyboard.
import { byId, fill, h, say } from "./dom.js";
import { makeBoard } from "./draw.js";
import { ACTIVITIES, TEXT, WORK } from "./texts.js";

/** Wire the drawing. Returns null without a map. `changed` is told after each change with the number of polygons. */
export async function makeDrawing(map, { changed, lots }) {
  if (!map) {
    for (const id of ["draw", "edit", "clear", "whole", "take-typed"]) byId(id).disabled = true;
    return null;
  }
  const activities = new Map();
  const exact = new Map();
  const board = await makeBoard(map, () => {
    redraw();
    if (modes.isDrawing()) byId("drawn").scrollIntoView({ block: "nearest" });
  });
  const redraw = () => {
    const polygons = board.polygons();
    fill(byId("drawn"), polygons.map((feature, at) => row(feature, at, { board, activities, redraw })));
    byId("edit").disabled = byId("clear").disabled = polygons.length === 0;
    changed(polygons.length);
  };
  const modes = wireModes(board);
  byId("clear").addEventListener("click", () => {
    modes.stop();
    board.clear();
    redraw();
  });
  byId("whole").addEventListener("click", () => takeLots(lots(), { board, redraw, exact }));
  byId("type").addEventListener("submit", (event) => {
    event.preventDefault();
    typed(byId("typed").value, { board, redraw });
  });
  return {
    isOn: modes.isOn,
    stop: modes.stop,
    size: () => board.polygons().length,
    clear: () => {
      board.clear();
      redraw();
    },
    file: () => asFile(board.polygons(), { activities, exact }),
  };
}

function wireModes(board) {
  const buttons = { draw: ["polygon", WORK.drawHint], edit: ["select", WORK.editHint] };
  const isPressed = (id) => byId(id).getAttribute("aria-pressed") === "true";
  const isOn = () => Object.keys(buttons).some(isPressed);
  const press = (id) => {
    const on = id !== null && !isPressed(id);
    for (const name of Object.keys(buttons)) byId(name).setAttribute("aria-pressed", String(on && name === id));
    board.mode(on ? buttons[id][0] : "static");
    say(on ? buttons[id][1] : "");
    const hint = byId("map-hint");
    hint.hidden = !on;
    hint.textContent = on ? buttons[id][1] : "";
    if (on) byId("map").scrollIntoView({ block: "nearest" });
  };
  for (const id of Object.keys(buttons)) byId(id).addEventListener("click", () => press(id));
  document.addEventListener("keydown", (event) => event.key === "Escape" && isOn() && press(null));
  return { isOn, isDrawing: () => isPressed("draw"), stop: () => isOn() && press(null) };
}

function row(feature, at, { board, activities, redraw }) {
  const name = WORK.name(at + 1);
  const id = `activity-${at + 1}`;
  const chosen = activities.get(feature.id) ?? "";
  const select = h("select", { id, change: (event) => activities.set(feature.id, event.target.value) },
    Object.entries(ACTIVITIES).map(([value, text]) => h("option", { value, selected: chosen === value }, text)));
  const remove = () => {
    board.remove(feature.id);
    redraw();
  };
  return h("li", {}, h("div", { class: "row" }, h("div", {}, h("label", { for: id }, `${name}: ${WORK.activity.toLowerCase()}`), select),
    h("button", { type: "button", "aria-label": `${TEXT.remove} ${name}`, click: remove }, TEXT.remove)),
  corners(feature, name, { board, redraw }));
}

/** The keyboard's way to move a corner: the ring as lines of text. */
function corners(feature, name, { board, redraw }) {
  const text = feature.geometry.coordinates[0].slice(0, -1).map(([lon, lat]) => `${lon.toFixed(7)}, ${lat.toFixed(7)}`).join("\n");
  const area = h("textarea", { rows: 5, "aria-label": WORK.cornersLabel(name), spellcheck: "false" });
  area.value = text;
  const take = () => typed(area.value, { board, id: feature.id, redraw });
  return h("details", {}, h("summary", {}, WORK.corners), area, h("button", { type: "button", click: take }, WORK.take));
}

function typed(text, { board, id, redraw }) {
  const ring = text.split("\n").filter((line) => line.trim()).map((line) => line.split(/[,;\s]+/).filter(Boolean).map(Number));
  if (ring.length < 3 || ring.some((place) => place.length !== 2 || place.some(Number.isNaN))) {
    say(h("div", { class: "box bad" }, WORK.badCorners));
    return;
  }
  const wrong = ring.map(misplaced).find(Boolean);
  if (wrong) say(h("div", { class: "box bad" }, wrong));
  else put(ring, { board, id, redraw });
}

const isHere = (lon, lat) => lon > -73.6 && lon < -69.8 && lat > 41.1 && lat < 43;

/** Why a typed corner cannot be meant as it stands, in its own numbers; null for one in Massachusetts. */
function misplaced([a, b], at) {
  if (isHere(a, b)) return null;
  const words = isHere(b, a) ? WORK.latitudeFirst : isHere(-a, b) ? WORK.noMinus : Math.abs(a) > 180 || Math.abs(b) > 90 ? WORK.noDegrees : WORK.elsewhere;
  return words(at + 1, a, b);
}

function put(ring, { board, id, redraw }) {
  const { polygon, why } = board.add(ring, id);
  say(why === null ? "" : h("div", { class: "box bad" }, WORK.refusedShape(why)));
  redraw();
  return polygon;
}

const drawnAs = ({ geometry }) => JSON.stringify(geometry.coordinates);

/** Take the chosen lots as the work. The board rounds; the lot's own ring is kept beside it until somebody moves it. */
function takeLots(lots, { board, redraw, exact }) {
  if (!lots.length) say(WORK.noLot);
  for (const { geometry } of lots) {
    const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
    if (polygons.some((rings) => rings.length > 1)) say(WORK.holed);
    else for (const [ring] of polygons) {
      const polygon = put(ring, { board, redraw });
      if (polygon) exact.set(polygon.id, { shown: drawnAs(polygon), ring });
    }
  }
}

function asFile(polygons, { activities, exact }) {
  const features = polygons.map((polygon, at) => {
    const activity = activities.get(polygon.id);
    const own = exact.get(polygon.id);
    const geometry = own?.shown === drawnAs(polygon) ? { type: "Polygon", coordinates: [own.ring] } : polygon.geometry;
    return { type: "Feature", id: String(at + 1), properties: activity ? { activity } : {}, geometry };
  });
  return new File([JSON.stringify({ type: "FeatureCollection", features })], WORK.fileName, { type: "application/geo+json" });
}
