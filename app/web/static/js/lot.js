// Setbacks and trees of a lot: laid out when asked, drawn on the map, told in tables.
import { post, postForm } from "./api.js";
import { byId, fill, h, pairs, refusal, say, table } from "./dom.js";
import { clear, collection, fit, show } from "./map.js";
import { amount, ft, percent, sqft } from "./numbers.js";
import { LOT } from "./texts.js";

const YARDS = { color: "#8a4b00", width: 1.5, fill: 0.18 };
const ENVELOPE = { color: "#1e6b3a", width: 3, fill: 0.2 };
const EDGES = { by: "class", color: { front: "#a3251b", rear: "#1d4f5e", interior_side: "#5b3a8c", exterior_side: "#8a4b00", unknown: "#777777" }, width: 4, fill: 0 };
const TREES = { color: "#2f6f1f", width: 2, fill: 0.25 };

/** Wire the form. `subject` gives the parcels of the question, `work` the files of the work and what is
 * said of them; `explain` is told what the colours drawn stand for. */
export function makeLotForm({ map, subject, work, explain }) {
  const form = byId("lot");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const loc = byId("lot-parcel").value;
    if (!loc) {
      say(h("div", { class: "box bad" }, LOT.noParcel));
      return;
    }
    say(LOT.asking);
    try {
      await layOut(map, question(new FormData(form), loc), { trees: [...byId("trees").files], work: work() });
      explain(legend());
      say(LOT.done);
    } catch (problem) {
      say(refusal(problem));
    }
  });
  return { offer: () => offer(subject()) };
}

/** What the colours of a laid-out lot stand for. */
function legend() {
  const areas = { yard: YARDS.color, envelope: ENVELOPE.color, tree: TREES.color };
  return Object.entries({ ...EDGES.color, ...areas }).map(([name, colour]) => [LOT.legend[name], colour]);
}

/** Offer the parcels of the question; keep the one chosen. */
function offer(parcels) {
  const select = byId("lot-parcel");
  const before = select.value;
  fill(select, parcels.length ? null : h("option", { value: "" }, LOT.noParcel),
    parcels.map((one) => h("option", { value: one.loc_id, selected: one.loc_id === before }, one.site_address ?? one.map_par_id ?? one.loc_id)));
}

function question(form, parcel) {
  const depths = ["front_ft", "side_ft", "rear_ft"].filter((name) => form.get(name) !== "").map((name) => [name, Number(form.get(name))]);
  const district = form.get("district").trim();
  return { parcel, ...(district ? { district } : {}), ...(depths.length ? { setbacks: Object.fromEntries(depths) } : {}), no_disturb: true };
}

async function layOut(map, asked, { trees, work }) {
  if (!trees.length) {
    tell(map, await post("/v1/setbacks", asked), null);
    return;
  }
  const fields = { ...asked, ...(asked.setbacks ? { setbacks: JSON.stringify(asked.setbacks) } : {}), ...(work.crs ? { crs: work.crs } : {}) };
  const told = await postForm("/v1/tree-protection-zones", { trees, ...(work.files.length ? { work: work.files } : {}) }, fields);
  tell(map, told.setbacks, told);
}

function tell(map, setbacks, trees) {
  fill(byId("lot-answer"), setbacks ? setbacksTold(setbacks) : null, trees ? treesTold(trees) : null);
  const all = [...(setbacks?.geojson.features ?? []), ...(trees?.geojson.features ?? [])];
  const of = (...kinds) => collection(all.filter(({ properties }) => kinds.includes(properties.what)));
  clear(map, "yards", "envelope", "edges", "tree-zones");
  show(map, "yards", of("yard", "no_disturb"), YARDS);
  show(map, "envelope", of("envelope"), ENVELOPE);
  show(map, "edges", of("edge"), EDGES);
  show(map, "tree-zones", of("tree", "fence", all.some(({ properties }) => properties.what === "zone") ? "zone" : "merged_zones"), TREES);
  if (map && all.length) fit(map, collection(all));
}

function setbacksTold({ lot, district, envelope, edges, yards, citation, needs, notes }) {
  return [
    pairs([
      [LOT.lot, sqft(lot.area_sqft)],
      [LOT.district, district],
      [LOT.envelope, envelope ? LOT.parts(sqft(envelope.area_sqft), envelope.parts) : LOT.notKnown],
    ]),
    wanting(needs),
    yards.length ? table({ caption: LOT.yards, columns: LOT.yardColumns, rows: yards.map((one) => [one.yard, ft(one.depth_ft), sqft(one.area_sqft)]), numbers: [1, 2] }) : null,
    table({ caption: LOT.lines, columns: LOT.lineColumns, rows: edges.map((one) => [one.id, one.class.replaceAll("_", " "), ft(one.length_ft), one.why]), numbers: [2] }),
    remarks(notes, citation),
  ];
}

function treesTold({ trees, left_out: leftOut, site, mitigation, needs, notes, citations }) {
  const { removed_dbh_in: removed, undecided_dbh_in: undecided, replacement_caliper_in: planted, open } = mitigation;
  return [
    table({ caption: LOT.trees, columns: LOT.treeColumns, rows: trees.map(tree), numbers: [1, 2, 3] }),
    pairs([
      [LOT.zones, `${sqft(site.zones_sqft)}, ${sqft(site.disturbed_sqft)} (${percent(site.disturbed_percent)})`],
      [LOT.fence, ft(site.fence_ft)],
      [LOT.removed, open.length ? `${LOT.soFar(amount(removed, "in"))}: ${open.join("; ")}` : amount(removed, "in")],
      [LOT.undecided, undecided ? amount(undecided, "in") : null],
      [LOT.planted, planted === null ? null : open.length ? LOT.plantedOpen : amount(planted, "in")],
    ]),
    leftOut.length ? [h("p", {}, LOT.leftOutTitle), h("ul", {}, leftOut.map(({ id, why }) => h("li", {}, LOT.leftOut(id, why))))] : null,
    wanting([...needs, ...mitigation.needs]),
    remarks(notes, citations.join("; ")),
  ];
}

const tree = (one) => [one.id, amount(one.dbh_in, "in"), ft(one.zone_radius_used_ft), `${sqft(one.disturbed_sqft)} (${percent(one.disturbed_percent)})`, `${LOT.verdict[one.verdict] ?? one.verdict}. ${one.why}`];

const wanting = (needs) => (needs.length ? h("p", { class: "box" }, LOT.needs, [...new Set(needs)].map((name) => name.replaceAll("_", " ")).join(", "), ".") : null);

const remarks = (notes, citation) => [notes.length ? h("ul", { class: "small" }, notes.map((note) => h("li", {}, note))) : null, citation ? h("p", { class: "small" }, citation) : null];
