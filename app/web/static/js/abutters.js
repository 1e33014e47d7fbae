// Abutter lists for staff: pick the land, the rule and the distance; review, certify, mail.
import { byId, fill, h, refusal, say } from "./dom.js";
import { download, get, hasKey, post, useKey } from "./api.js";
import { addOwnLayers, fit, makeMap, onParcel, show } from "./map.js";
import { ft } from "./numbers.js";
import { parcelChooser } from "./parcels.js";
import { TEXT } from "./texts.js";

const SUBJECT = { color: "#1d4f5e", width: 3, fill: 0.25 };
const FOUND = { color: "#8a4b00", width: 2, fill: 0.12 };
const FILES = [
  [".pdf", "List (PDF)"], [".xlsx", "Spreadsheet"], [".csv", "CSV"], ["/labels.pdf?sheet=5160", "Labels 5160"],
  ["/labels.pdf?sheet=5161", "Labels 5161"], ["/labels.pdf?sheet=5163", "Labels 5163"], ["/mailing.pdf?form=3665", "Mailing sheet 3665"],
  ["/mailing.pdf?form=3877", "Mailing sheet 3877"], ["/notices.csv", "Mail merge"],
];
const RELATION = { direct: "abuts", across_way: "across a way", within: "within", directly_opposite: "directly opposite", abutter_to_abutter: "abutter to an abutter" };
const state = { map: null, subject: () => [] };

start();

async function start() {
  byId("sign").addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(byId("key").value.trim());
    byId("key").value = "";
    offer();
  });
  byId("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    make();
  });
  const chooser = parcelChooser({ changed: offer, located: (parcel) => locate(parcel) });
  state.subject = chooser.list;
  const [layers, about] = await Promise.all([get("/v1/layers").catch(() => ({ layers: [] })), get("/v1/page").catch(() => ({}))]);
  fill(byId("rule"), h("option", { value: "" }, "A plain distance"), (about.notice_rules ?? []).map(({ id, title }) => h("option", { value: id }, title)));
  state.map = await makeMap(byId("map"), about.basemap);
  if (state.map) {
    if (about.bounds) state.map.fitBounds(about.bounds, { padding: 20, duration: 0 });
    addOwnLayers(state.map, new Set(layers.layers.filter(({ id, state: is }) => id === "parcels" && is === "ready").map(({ id }) => id)));
    onParcel(state.map, (properties) => chooser.choose(properties.loc_id ?? properties.id, { move: false }));
  }
  offer();
}

function locate(parcel) {
  const lot = { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: parcel.geometry }] };
  show(state.map, "subject", lot, SUBJECT);
  fit(state.map, lot, 160);
}

function offer() {
  const ready = hasKey() && state.subject().length > 0;
  byId("make").disabled = !ready;
  byId("make").textContent = hasKey() ? "Make the list" : "Give your key first";
}

async function make() {
  say(TEXT.looking);
  const body = {
    parcels: state.subject(),
    rule: byId("rule").value || undefined,
    within_ft: byId("within").value ? Number(byId("within").value) : undefined,
    filed_on: byId("filed").value || undefined,
    hearing_on: byId("hearing").value || undefined,
    reason: byId("reason").value || undefined,
  };
  try {
    await tell(await post("/v1/abutter-lists", body));
    say("The list is made.");
    byId("answer").focus();
  } catch (problem) {
    say(refusal(problem));
  }
}

async function tell(list) {
  fill(byId("answer"), heading(list), warnings(list), actions(list), table(list), nearMisses(list), left(list), dates(list));
  const shapes = await get(`/v1/abutter-lists/${list.id}.geojson`).catch(() => null);
  if (!shapes) return;
  show(state.map, "found", shapes, FOUND);
  fit(state.map, shapes);
}

function heading({ status, rule, counts, subject, tax_list: taxes }) {
  return [
    h("h2", {}, `List: ${status}`),
    h("p", {}, `${counts.parcels} parcels, ${counts.owners} owners, ${counts.notices} letters around ${subject.map(({ site_address: address, loc_id: id }) => address ?? id).join("; ")}.`),
    h("p", { class: "small" }, `${rule.citation ?? "Plain distance"}; ${ft(rule.within_ft)} from the property line. Tax list: ${taxes.map(({ town_id: town, fiscal_year: year }) => `town ${town}, FY${year ?? "?"}`).join("; ")}.`),
  ];
}

const warnings = (list) => list.warnings.map(({ message }) => h("div", { class: "box bad", role: "note" }, message));

function actions(list) {
  const files = FILES.map(([path, text]) => h("button", { type: "button", click: () => fetchFile(list, path, text) }, text));
  const review = list.status === "draft" ? h("button", { type: "button", id: "review", click: () => move(list, "review", {}) }, "I have reviewed it") : null;
  return [h("div", { class: "actions" }, review, files), list.status === "reviewed" ? certify(list) : null];
}

async function fetchFile(list, path, text) {
  try {
    await download(`/v1/abutter-lists/${list.id}${path}`, `${list.id}-${text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}${/\.\w+/.exec(path)[0]}`);
  } catch (problem) {
    say(refusal(problem));
  }
}

async function move(list, step, body) {
  try {
    await tell(await post(`/v1/abutter-lists/${list.id}/${step}`, body));
  } catch (problem) {
    say(refusal(problem));
  }
}

function certify(list) {
  const form = h("form", { class: "box", id: "certify" }, h("h3", {}, "Certify (assessor)"),
    [["name", "Name"], ["title", "Title"]].map(([name, text]) => [h("label", { for: `certify-${name}` }, text), h("input", { id: `certify-${name}`, name, required: true, maxlength: 80 })]),
    h("label", { for: "certify-on" }, "On"), h("input", { id: "certify-on", name: "on", type: "date", required: true }),
    h("div", { class: "go" }, h("button", { class: "main" }, "Certify this list")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    move(list, "certify", Object.fromEntries(new FormData(form)));
  });
  return form;
}

function table({ abutters }) {
  const rows = abutters.map((one) => h("tr", {},
    h("th", { scope: "row" }, one.map_par_id ?? one.loc_id), h("td", {}, one.site_address ?? "–"), h("td", { class: "number" }, ft(one.distance_ft)),
    h("td", {}, RELATION[one.relation] ?? one.relation), h("td", {}, one.owners.map(({ owner }) => h("div", {}, owner ?? "no owner on the tax list"))), h("td", {}, one.flags.join(", "))));
  return h("div", { class: "scroll" }, h("table", { id: "abutters" }, h("thead", {}, h("tr", {}, ["Parcel", "Address", "Distance", "How", "Owner", "Flags"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)));
}

function nearMisses({ near_misses: all }) {
  return all.length ? [h("h3", {}, "Just beyond the line"), h("p", { class: "hint" }, "Within the accuracy of the parcel map; the assessor decides."), h("ul", {}, all.map((one) => h("li", {}, `${one.loc_id}: ${ft(one.distance_ft)}`)))] : null;
}

function left({ excluded }) {
  return excluded.length ? h("details", {}, h("summary", {}, `${excluded.length} left out, and why`), h("ul", {}, excluded.map(({ loc_id: id, reason }) => h("li", {}, `${id}: ${reason}`)))) : null;
}

function dates({ deadlines }) {
  return deadlines.length ? [h("h3", {}, "Dates"), h("ul", {}, deadlines.map((one) => h("li", {}, `${one.what}: ${one.practical ?? one.rolled} (${one.citation})`)))] : null;
}
