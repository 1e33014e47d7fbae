// Screen a site: where, what, and the answer beside the map.
import { showScreening } from "./answer.js";
import { get, postForm } from "./api.js";
import { byId, ready, refusal, say } from "./dom.js";
import { makeDrawing } from "./drawing.js";
import { askFacts } from "./facts.js";
import { makeLotForm } from "./lot.js";
import { clear, collection, fit, makeMap, onParcel, show } from "./map.js";
import { addOwnLayers, writeLegend } from "./own_layers.js";
import { parcelChooser } from "./parcels.js";
import { makeFiles } from "./reading.js";
import { openLegend, showSurroundings } from "./surroundings.js";
import { ANSWER, TEXT } from "./texts.js";

const WORK = { color: "#a3251b", width: 3, fill: 0.2 };
const LOTS = { color: "#1d4f5e", width: 2.5, fill: 0.05 };
const PLACE = { color: "#a3251b", width: 2.5, fill: 0, dash: [2, 2] };
const LIT = { color: "#0b62d6", width: 4, fill: 0.3 };
const page = { map: null, drawing: null, files: null, parcels: null, lot: null, legend: null, facts: {}, definitions: [], answer: null, shapes: null };

start();

async function start() {
  page.parcels = parcelChooser({ changed: showLots, located: (parcel) => fit(page.map, lotsOf([parcel])) });
  page.files = makeFiles({ changed: (usable) => usable ? useFile() : offer(), parcels: page.parcels.ids, placed: showPlace });
  byId("screen").addEventListener("click", () => ask());
  for (const id of ["type", "lot", "facts"]) byId(id).addEventListener("submit", (event) => event.preventDefault());
  ready();
  const [about, layers, facts] = await known();
  page.definitions = facts.facts;
  page.map = await makeMap(byId("map"), about);
  page.lot = makeLotForm({ map: page.map, subject: subjectParcels, work: workFiles, explain: (more) => page.legend?.(more) });
  page.lot.offer();
  if (page.map) prepareMap(layers.layers);
  page.drawing = await makeDrawing(page.map, { changed: useDrawing, lots: page.parcels.all });
  await openShared();
}

async function known() {
  try {
    return await Promise.all([get("/v1/page"), get("/v1/layers"), get("/v1/facts")]);
  } catch (problem) {
    say(refusal(problem));
    return [{}, { layers: [] }, { facts: [] }];
  }
}

function prepareMap(layers) {
  const shown = addOwnLayers(page.map, layers);
  page.legend = (more = []) => writeLegend(shown, [[TEXT.theLots, LOTS.color], [TEXT.theWork, WORK.color], [TEXT.lit, LIT.color], ...more]);
  page.legend();
  onParcel(page.map, ({ loc_id: id }) => !page.drawing?.isOn() && page.parcels.choose(id, { move: false }));
}

// ------------------------------------------------------------------ the question

const lotsOf = (parcels) => collection(parcels.map(({ geometry }) => ({ type: "Feature", properties: {}, geometry })));

function showLots(parcels) {
  show(page.map, "lots", lotsOf(parcels), LOTS);
  page.lot?.offer();
}

/** Show where a file lies, before it is screened; returns whether the map could. */
function showPlace(bounds) {
  clear(page.map, "place");
  if (!bounds || !page.map) return false;
  const [west, south, east, north] = bounds;
  const box = collection([{ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]] } }]);
  show(page.map, "place", box, PLACE);
  fit(page.map, box);
  return true;
}

/** The parcels to lay out: those chosen, then those the answer found under the work. */
function subjectParcels() {
  const found = page.answer?.parcels ?? [];
  const chosen = page.parcels.all();
  return [...chosen, ...found.filter(({ loc_id: id }) => !chosen.some((one) => one.loc_id === id))];
}

function workFiles() {
  if (page.files.all().length) return { files: page.files.all(), crs: page.files.options().crs };
  return { files: page.drawing?.size() ? [page.drawing.file()] : [] };
}

function useFile() {
  if (page.drawing?.size()) page.drawing.clear();
  offer();
}

function useDrawing(size) {
  if (size) page.files.forget();
  offer();
}

function offer() {
  const isReady = (page.files.all().length > 0 && byId("reading").querySelector(".box.good") !== null) || (page.drawing?.size() ?? 0) > 0;
  byId("screen").disabled = !isReady;
}

const said = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined));

async function ask() {
  say(TEXT.screening);
  byId("screen").disabled = true;
  try {
    const fields = { ...page.files.options(), ...page.facts, parcel: page.parcels.ids() };
    const screening = await postForm("/v1/screenings", { file: workFiles().files }, said(fields));
    page.drawing?.stop();
    await tellNew(screening);
  } catch (problem) {
    say(refusal(problem));
  } finally {
    offer();
  }
}

/** Ask the kept question again with more facts; it needs no file, so it works on a shared link too. */
async function askAgain(given) {
  page.facts = { ...page.facts, ...given };
  say(TEXT.screening);
  try {
    await tellNew(await postForm(`${page.answer.url}/again`, {}, given));
  } catch (problem) {
    say(refusal(problem));
  }
}

// ------------------------------------------------------------------ the answer

async function tellNew(screening) {
  history.replaceState(null, "", `/?screening=${encodeURIComponent(screening.id)}`);
  await tell(screening);
  say(TEXT.done);
  byId("answer").focus({ preventScroll: true });
  byId("notice").scrollIntoView({ block: "start" });
}

async function openShared() {
  const id = new URLSearchParams(location.search).get("screening");
  if (!id) return;
  try {
    await tell(await get(`/v1/screenings/${encodeURIComponent(id)}`));
    byId("answer").scrollIntoView({ block: "start" });
  } catch (problem) {
    say(refusal(problem));
  }
}

async function tell(screening) {
  page.answer = screening;
  const [laws, shapes] = await Promise.all([lawsOf(screening), get(screening.links.geojson).catch(() => null)]);
  page.shapes = shapes;
  showScreening(screening, { light, laws, share: () => share(screening) });
  askFacts(screening, page.definitions, askAgain);
  page.lot?.offer();
  openLegend(page.map);
  if (shapes) draw(shapes);
  showSurroundings(page.map, screening, () => page.answer === screening);
}

async function lawsOf({ bylaws }) {
  const found = await Promise.all(bylaws.map(({ id }) => get(`/v1/bylaws/${encodeURIComponent(id)}`).catch(() => null)));
  return new Map(found.filter(Boolean).map((law) => [law.id, law]));
}

async function share({ id }) {
  const link = `${location.origin}/?screening=${encodeURIComponent(id)}`;
  try {
    await navigator.clipboard.writeText(link);
    say(ANSWER.copied);
  } catch {
    say(ANSWER.copyThis(link));
  }
}

function draw({ features }) {
  const of = (...kinds) => collection(features.filter(({ properties }) => kinds.includes(properties.what)));
  clear(page.map, "lit", "place");
  show(page.map, "lots", of("parcel"), LOTS);
  show(page.map, "work", of("disturbance", "tree", "delineation", "mitigation"), WORK);
  fit(page.map, of("parcel", "disturbance"));
}

/** Light up what a finding speaks of; with `go` the map moves there. */
function light(finding, go = false) {
  for (const card of document.querySelectorAll(".card.lit")) card.classList.remove("lit");
  document.querySelector(`.card[data-theme="${finding.theme}"][data-layer="${finding.layer.id}"]`)?.classList.add("lit");
  const hits = collection((page.shapes?.features ?? []).filter(({ properties }) => properties.layer === finding.layer.id && (properties.themes ?? []).includes(finding.theme)));
  show(page.map, "lit", hits, LIT);
  if (!go) return;
  if (hits.features.length) fit(page.map, hits);
  say(hits.features.length ? TEXT.shown(finding.title) : TEXT.notOnMap);
}
