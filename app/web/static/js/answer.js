// A screening on the page, in the order a reader needs it.
import { byId, fill, h, table } from "./dom.js";
import { findingGroups, findingTable, grouped } from "./findings.js";
import { acresBeside, areaWithShare, percent, sqft } from "./numbers.js";
import { rulings, waysUnder } from "./rulings.js";
import { ANSWER, GROUPS } from "./texts.js";

const MILD = new Set(["parcel_grazed"]);

/** Fill the answer. `laws` are the bylaws it names, by id; `light` is called with a finding that is pointed at. */
export function showScreening(screening, { light, laws, share }) {
  const groups = grouped(screening.findings);
  fill(
    byId("answer"),
    heading(screening, share),
    warnings(screening.warnings),
    summary(screening, groups),
    calledFor(screening.determinations),
    findingGroups(groups, light),
    h("h2", { id: "rules", tabindex: -1 }, ANSWER.rules),
    rulings(screening, laws),
    waysUnder(screening),
    steps(screening.next_steps),
    deadlines(screening.deadlines),
    watersheds(screening),
    parcels(screening.parcels),
    findingTable(screening.findings),
    basis(screening),
  );
}

/** What must be seen before the answer is trusted, of one kind together; what was merely left out of account is milder. */
function warnings(all) {
  const codes = [...new Set(all.map(({ code }) => code))];
  return codes.map((code) => {
    const told = all.filter((one) => one.code === code).map(({ message }) => message);
    return h("div", { class: MILD.has(code) ? "box" : "box bad", role: "note" }, told.length > 1 ? h("ul", {}, told.map((one) => h("li", {}, one))) : told);
  });
}

function heading(screening, share) {
  const { disturbance, town, on, lies_in: ground, editions } = screening;
  const isLotKnown = editions.some(({ layer }) => layer === "parcels");
  const elsewhere = town && ground?.length > 0 && !ground.some(({ id }) => id === town.id);
  const place = elsewhere ? ANSWER.byRulesOf(ground.map(({ name }) => name).join(" and "), town.name) : town?.name;
  return [
    h("h2", {}, ANSWER.title),
    h("p", { id: "work-in-words" }, ANSWER.work(sqft(disturbance.area_sqft), acresBeside(disturbance.area_acres)), place ? ANSWER.inTown(place) : "", ANSWER.asOf(on)),
    isLotKnown && disturbance.outside_parcels_sqft >= 0.5 ? h("p", { class: "small" }, ANSWER.outside(sqft(disturbance.outside_parcels_sqft))) : null,
    h("p", { class: "small" }, ANSWER.noDelineation),
    town?.invented ? h("p", { class: "small" }, ANSWER.invented) : null,
    h("div", { class: "actions" }, links(screening, share)),
  ];
}

function links({ id, links: told }, share) {
  const shown = Object.entries(ANSWER.links).filter(([name]) => told[name]);
  return [
    h("button", { type: "button", id: "share", click: share }, ANSWER.share),
    shown.map(([name, text]) => h("a", { href: told[name], id: `link-${name}`, download: name === "pdf" ? `screening-${id}.pdf` : null }, text)),
    h("a", { href: `/abutters?screening=${encodeURIComponent(id)}` }, ANSWER.abutters),
  ];
}

/** Say first whether anything is triggered and what is still open, then count rules and maps, each a way to its part. */
function summary({ determinations }, groups) {
  const triggered = determinations.filter(({ result, advisory }) => result === "triggered" && !advisory).length;
  const open = determinations.filter(({ result }) => result === "indeterminate" || result === "needs_input").length;
  const close = determinations.filter(({ result, certainty }) => result === "not_triggered" && certainty === "too_close_to_call").length;
  const held = GROUPS.filter(([name]) => name !== "ground" && groups.get(name).length);
  return [
    h("p", { id: "verdict", class: `verdict ${triggered ? "triggered" : "unknown"}` }, ANSWER.verdict(triggered, open, close)),
    h("ul", { class: "sum", "aria-label": ANSWER.inShort },
      h("li", { class: triggered ? "triggered" : "" }, counted(triggered, ANSWER.rulesTriggered(triggered), "rules")),
      open ? h("li", { class: "unknown", id: "rules-open" }, counted(open, ANSWER.rulesOpen(open), "rules")) : null),
    h("ul", { class: "sum", "aria-label": ANSWER.mapsInShort }, h("li", { class: "plain" }, `${ANSWER.mapsInShort}:`),
      held.map(([name, title]) => h("li", { class: name }, counted(groups.get(name).length, title.toLowerCase(), `group-${name}`)))),
  ];
}

const counted = (n, words, id) => h("a", { href: `#${id}` }, h("b", {}, String(n)), ` ${words}`);

/** Each permit that triggered rules call for, and from whom, once; advice calls for none. */
function calledFor(determinations) {
  const called = determinations.filter(({ result, approval, advisory }) => result === "triggered" && approval && !advisory);
  const told = [...new Set(called.map(({ approval, authority }) => `${approval}: ${authority}`))];
  return told.length ? [h("h2", {}, ANSWER.calledFor), h("ul", { id: "called-for" }, told.map((one) => h("li", {}, one)))] : null;
}

function steps(all) {
  return all.length ? [h("h2", {}, ANSWER.steps), h("ol", {}, all.map(({ text }) => h("li", {}, text)))] : null;
}

function deadlines(all) {
  if (!all.length) return null;
  const rows = all.map((one) => [one.what, one.raw, one.practical ?? one.rolled, one.board_act_by ?? "–", one.citation]);
  return [h("h2", {}, ANSWER.dates), table({ caption: ANSWER.dates, columns: ANSWER.dateColumns, rows })];
}

function watersheds({ watersheds: { huc10, huc12 }, findings }) {
  const all = [...huc12.map((one) => ["huc12", one]), ...huc10.map((one) => ["huc10", one])];
  if (!all.length) return null;
  const isClose = (level) => findings.some(({ theme, status, certainty }) => theme === level && status === "affected" && certainty !== "certain");
  const row = ([level, one]) => `${level.toUpperCase()} ${one.code} ${one.name}: ${percent(one.percent)}${isClose(level) ? ` (${ANSWER.certainty.too_close_to_call})` : ""}`;
  return [h("h2", {}, ANSWER.watersheds), h("ul", { id: "watersheds" }, all.map((one) => h("li", {}, row(one))))];
}

function parcels(all) {
  if (!all.length) return null;
  const rows = all.map((one) => [one.map_par_id ?? one.loc_id, one.site_address ?? ANSWER.noAddress, sqft(one.area_sqft), areaWithShare(one.disturbed_sqft, one.disturbed_percent)]);
  return [h("h2", {}, ANSWER.parcels), table({ caption: ANSWER.parcels, columns: ANSWER.parcelColumns, rows, numbers: [2, 3] })];
}

function basis({ input, bylaws, id, engine }) {
  return h("details", { class: "paper" }, h("summary", {}, ANSWER.basis),
    h("p", {}, ANSWER.input(input)),
    input.notes.length ? h("ul", {}, input.notes.map(({ message }) => h("li", {}, message))) : null,
    h("ul", {}, bylaws.map((one) => h("li", {}, ANSWER.law(one)))),
    h("p", { class: "small" }, ANSWER.ids(id, input.sha256), ` ${engine}`));
}

