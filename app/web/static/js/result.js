// Show a screening: affected first, then too close to call, unknown, none mapped, not affected.
import { byId, fill, h } from "./dom.js";
import { amount, ft, marginInWords, percent, sqft } from "./numbers.js";
import { GROUPS, RESULT, STATUS, TEXT } from "./texts.js";

/** The group of a finding on the page. */
export function groupOf(finding) {
  if (finding.status === "no_data" || finding.status === "not_checked") return "unknown";
  if (finding.status === "affected") return "affected";
  if (finding.certainty === "too_close_to_call") return "close";
  return finding.status === "none_mapped" ? "none" : "clear";
}

/** Fill the answer. `light` is called with a theme when its card is pointed at or chosen. */
export function showScreening(screening, { light, bylaws }) {
  const groups = new Map(GROUPS.map(([name]) => [name, []]));
  for (const finding of screening.findings) groups.get(groupOf(finding)).push(finding);
  fill(
    byId("answer"),
    heading(screening),
    screening.warnings.map((warning) => h("div", { class: "box bad", role: "note" }, warning.message)),
    summary(screening, groups),
    h("h2", {}, "What is triggered"),
    determinations(screening.determinations, bylaws),
    steps(screening.next_steps),
    deadlines(screening.deadlines),
    GROUPS.map(([name, title, meaning]) => findings(name, title, meaning, groups.get(name), light)),
    watersheds(screening.watersheds),
    parcels(screening.parcels),
    table(screening.findings),
    basis(screening),
  );
}

function heading(screening) {
  const { disturbance, town, on } = screening;
  return [
    h("h2", {}, "Answer"),
    h("p", {}, `${sqft(disturbance.area_sqft)} of work (${amount(disturbance.area_acres, "acres")})`, town ? ` in ${town.name}` : "", `, judged as of ${on}.`),
    disturbance.outside_parcels_sqft > 0 ? h("p", { class: "small" }, `${sqft(disturbance.outside_parcels_sqft)} of it lie outside the parcels (a way, or another lot).`) : null,
    h("p", { class: "small" }, "A screening of public maps, no delineation and no permit."),
    h("div", { class: "actions" }, links(screening)),
  ];
}

function links({ links: told }) {
  const shown = [["self", TEXT.json], ["geojson", TEXT.geojson], ["pdf", TEXT.pdf]].filter(([name]) => told[name]);
  return [
    h("button", { type: "button", id: "share" }, TEXT.share),
    shown.map(([name, text]) => h("a", { href: told[name], id: `link-${name}` }, text)),
  ];
}

function summary(screening, groups) {
  const triggered = screening.determinations.filter(({ result, advisory }) => result === "triggered" && !advisory).length;
  return h("ul", { class: "sum", "aria-label": "In short" },
    h("li", {}, h("b", {}, String(triggered)), " rules triggered"),
    GROUPS.map(([name, title]) => h("li", {}, h("b", {}, String(groups.get(name).length)), ` ${title.toLowerCase()}`)));
}

function determinations(all, bylaws) {
  const order = ["triggered", "indeterminate", "needs_input", "not_triggered"];
  const sorted = [...all].sort((a, b) => order.indexOf(a.result) - order.indexOf(b.result) || Number(a.advisory) - Number(b.advisory));
  const open = sorted.filter(({ result }) => result !== "not_triggered");
  const rest = sorted.filter(({ result }) => result === "not_triggered");
  return [
    open.length ? open.map((one) => determination(one, bylaws)) : h("p", {}, "Nothing is triggered, as far as the maps and facts go."),
    rest.length ? h("details", {}, h("summary", {}, `${rest.length} rules are not triggered`), rest.map((one) => determination(one, bylaws))) : null,
  ];
}

const KIND = { triggered: "triggered", indeterminate: "unknown", needs_input: "unknown", not_triggered: "clear" };

function determination(one, bylaws) {
  const close = one.certainty === "too_close_to_call";
  return h("article", { class: `card ${close ? "close" : KIND[one.result]}`, "data-rule": one.rule },
    h("h3", {}, `${one.title}${one.loc_id ? ` (${one.loc_id})` : ""}`, h("span", { class: "tag" }, close ? `${RESULT[one.result]}, too close to call` : RESULT[one.result])),
    one.advisory ? h("p", { class: "small" }, "For your information; no permit hangs on it.") : null,
    h("p", {}, one.why),
    bar(one),
    one.readings.length > 1 ? readings(one) : null,
    h("p", { class: "small" }, `${one.citation}. ${one.approval ?? ""} ${one.authority}.`, one.unverified ? " Rests on a reading that nobody has verified yet." : ""),
    one.quote ? h("details", {}, h("summary", {}, "The text"), h("blockquote", {}, one.quote), lawLink(one, bylaws)) : null);
}

function lawLink({ rule }, bylaws) {
  const bylaw = bylaws?.find(({ id }) => rule.startsWith(`${id}.`));
  return bylaw?.url ? h("p", {}, h("a", { href: bylaw.url, rel: "noreferrer" }, bylaw.title)) : null;
}

/** A threshold as a bar: how far the measure reaches towards it, and past it. */
function bar(one) {
  const words = marginInWords(one);
  if (!words) return null;
  const most = Math.max(one.measured, one.threshold, 1e-9) * 1.1;
  const at = (value) => (100 * value) / most;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 10");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  svg.append(rect(0, at(one.measured), one.result === "triggered" ? "#a3251b" : "#1e6b3a"), rect(at(one.threshold) - 0.35, 0.7, "#1b2a30"));
  return [
    h("div", { class: "bar" }, svg),
    h("p", { class: "small" }, `${amount(one.measured, one.unit)} measured, threshold ${amount(one.threshold, one.unit)}: ${words}.`),
  ];
}

function rect(x, width, colour) {
  const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x, y: 0, width, height: 10, fill: colour })) box.setAttribute(name, value);
  return box;
}

function readings(one) {
  return h("details", {}, h("summary", {}, "The text can be read in more than one way"),
    h("ul", {}, one.readings.map((reading) => h("li", {}, `${reading.text}: ${RESULT[reading.result]} (${amount(reading.measured, one.unit)} against ${amount(reading.threshold, one.unit)}; ${reading.policy})`))));
}

function steps(all) {
  return all.length ? [h("h2", {}, "What to do next"), h("ol", {}, all.map(({ text }) => h("li", {}, text)))] : null;
}

function deadlines(all) {
  if (!all.length) return null;
  const rows = all.map((one) => h("tr", {}, h("th", { scope: "row" }, one.what), h("td", {}, one.rolled), h("td", {}, one.board_act_by ?? "–"), h("td", {}, one.citation)));
  return [h("h2", {}, "Dates"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["What", "By", "Board to act by", "Law"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, rows)))];
}

function findings(name, title, meaning, list, light) {
  if (!list.length) return null;
  const cards = list.map((finding) => card(name, finding, light));
  const shown = name === "clear" || name === "none" ? h("details", { open: name === "none" }, h("summary", {}, `${list.length} layers`), cards) : cards;
  return [h("h2", {}, title), h("p", { class: "hint" }, meaning), shown];
}

function card(name, finding, light) {
  const close = finding.certainty === "too_close_to_call";
  const element = h("article", { class: `card ${name === "affected" && close ? "close" : name}`, tabindex: 0, "data-theme": finding.theme, "data-layer": finding.layer.id, focus: () => light(finding), mouseenter: () => light(finding) },
    h("h3", {}, finding.title, h("span", { class: "tag" }, close && name === "affected" ? "Affected, too close to call" : STATUS[finding.status])),
    h("p", {}, finding.why),
    figures(finding),
    zones(finding.zones),
    provisions(finding),
    h("p", { class: "small" }, edition(finding.layer)));
  return element;
}

function figures(finding) {
  const pairs = [
    finding.disturbance_sqft ? ["Work on it", `${sqft(finding.disturbance_sqft)} (${percent(finding.percent_of_disturbance)})`] : null,
    finding.parcel_sqft ? ["Lot on it", `${sqft(finding.parcel_sqft)} (${percent(finding.percent_of_parcel)})`] : null,
    finding.length_ft ? ["Length", ft(finding.length_ft)] : null,
    finding.count ? ["Features", String(finding.count)] : null,
    finding.nearest_ft !== null && finding.nearest_ft > 0 ? ["Nearest", ft(finding.nearest_ft)] : null,
    finding.margin_ft !== null ? ["Margin", ft(finding.margin_ft)] : null,
  ].filter(Boolean);
  return pairs.length ? h("dl", { class: "facts" }, pairs.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])) : null;
}

function zones(all) {
  const used = all.filter(({ disturbance_sqft: work, parcel_sqft: lot }) => work || lot);
  if (!used.length) return null;
  const name = ({ from_ft: from, to_ft: to }) => (to === 0 ? "On the resource" : `${from}–${to} ft`);
  return h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Distance"), h("th", { scope: "col", class: "number" }, "Work"), h("th", { scope: "col", class: "number" }, "Lot"))),
    h("tbody", {}, used.map((zone) => h("tr", {}, h("th", { scope: "row" }, name(zone)), h("td", { class: "number" }, sqft(zone.disturbance_sqft)), h("td", { class: "number" }, sqft(zone.parcel_sqft)))))));
}

function provisions({ legal_provisions: all, authority }) {
  if (!all.length) return null;
  const named = all.map(({ title, section, url }) => (url ? h("a", { href: url, rel: "noreferrer" }, `${title}, ${section}`) : `${title}, ${section}`));
  return h("p", { class: "small" }, named.flatMap((one, i) => (i ? ["; ", one] : [one])), authority ? `. ${authority}.` : ".");
}

function edition(layer) {
  if (!layer.edition) return `${layer.title ?? layer.id}: not loaded.`;
  const scale = layer.scale ? `, 1:${layer.scale.toLocaleString("en-US")}` : "";
  return `${layer.title}, edition ${layer.edition}${scale}, good to ${ft(layer.accuracy_ft)}${layer.retrieved ? `, retrieved ${layer.retrieved}` : ""}${layer.coverage === "partial" ? ", covers only part of the site" : ""}.`;
}

function watersheds({ huc10, huc12 }) {
  const all = [...huc12.map((one) => ["HUC12", one]), ...huc10.map((one) => ["HUC10", one])];
  if (!all.length) return null;
  return [h("h2", {}, "Watersheds"), h("ul", {}, all.map(([level, one]) => h("li", {}, `${level} ${one.code} ${one.name}: ${percent(one.percent)}`)))];
}

function parcels(all) {
  if (!all.length) return null;
  return [h("h2", {}, "Parcels under the work"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["Parcel", "Address", "Lot", "Work"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, all.map((one) => h("tr", {}, h("th", { scope: "row" }, one.map_par_id ?? one.loc_id), h("td", {}, one.site_address ?? "–"), h("td", { class: "number" }, sqft(one.area_sqft)), h("td", { class: "number" }, `${sqft(one.disturbed_sqft)} (${percent(one.disturbed_percent)})`))))))];
}

function table(all) {
  return h("details", {}, h("summary", {}, "All of it as a table (the same as the map)"), h("div", { class: "scroll" }, h("table", { id: "as-table" },
    h("thead", {}, h("tr", {}, ["Layer", "Status", "Certainty", "Work", "Nearest", "Edition"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, all.map((one) => h("tr", {}, h("th", { scope: "row" }, one.title), h("td", {}, STATUS[one.status]), h("td", {}, one.certainty === "certain" ? "certain" : "too close to call"), h("td", { class: "number" }, sqft(one.disturbance_sqft)), h("td", { class: "number" }, ft(one.nearest_ft)), h("td", {}, one.layer.edition ?? "–")))))));
}

function basis({ input, bylaws, id }) {
  return h("details", {}, h("summary", {}, "What this rests on"),
    h("p", {}, `${input.name}, ${input.format}, ${input.crs}, ${input.n_features} features.`),
    input.notes.length ? h("ul", {}, input.notes.map(({ message }) => h("li", {}, message))) : null,
    h("ul", {}, bylaws.map((one) => h("li", {}, `${one.title}, edition ${one.edition.slice(0, 12)}`))),
    h("p", { class: "small" }, `Screening ${id}. Input SHA-256 ${input.sha256}.`));
}
