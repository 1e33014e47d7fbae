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
    markedClose(screening),
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
  const { disturbance, town, on, lies_in: ground, warnings: told } = screening;
  const outside = disturbance.outside_parcels_sqft;
  const unknown = told.some(({ code }) => code === "parcels_unknown") ? outside : disturbance.lots_unknown_sqft ?? 0;
  const elsewhere = town && ground?.length > 0 && !ground.some(({ id }) => id === town.id);
  const place = elsewhere ? ANSWER.byRulesOf(ground.map(({ name }) => name).join(" and "), town.name) : town?.name;
  return [
    h("h2", {}, ANSWER.title),
    h("p", { id: "work-in-words" }, ANSWER.work(sqft(disturbance.area_sqft), acresBeside(disturbance.area_acres)), place ? ANSWER.inTown(place) : "", ANSWER.asOf(on)),
    outside - unknown >= 0.5 ? h("p", { class: "small" }, ANSWER.outside(sqft(outside - unknown))) : null,
    unknown >= 0.5 ? h("p", { id: "lots-unknown", class: "small" }, ANSWER.lotsUnknown(sqft(unknown))) : null,
    h("p", { class: "small" }, ANSWER.noDelineation),
    screening.not_looked_at?.length ? h("p", { id: "not-looked-at", class: "small" }, ANSWER.notLookedAt(screening.not_looked_at)) : null,
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
function summary({ summary: of }, groups) {
  if (!of) return h("p", { id: "verdict", class: "verdict unknown" }, ANSWER.uncounted);
  const { rules_triggered: triggered, rules_undecided: open, maps_not_checked: unchecked } = of;
  const close = { rules: of.rules_too_close, maps: of.maps_too_close };
  const byWord = { rules: of.rules_on_delineation, maps: of.maps_on_delineation };
  const held = GROUPS.filter(([name]) => name !== "ground" && name !== "close" && groups.get(name).length);
  return [
    h("p", { id: "verdict", class: `verdict ${triggered ? "triggered" : "unknown"}` }, ANSWER.verdict(triggered, open, close, byWord, unchecked)),
    h("ul", { class: "sum", "aria-label": ANSWER.inShort },
      h("li", { class: triggered ? "triggered" : "" }, counted(triggered, ANSWER.rulesTriggered(triggered), "rules")),
      open ? h("li", { class: "unknown", id: "rules-open" }, counted(open, ANSWER.rulesOpen(open), "rules")) : null,
      close.rules + close.maps ? h("li", { class: "close", id: "too-close" }, counted(close.rules + close.maps, ANSWER.closeCount(close), "marked-close")) : null),
    h("ul", { class: "sum", "aria-label": ANSWER.mapsInShort }, h("li", { class: "plain" }, `${ANSWER.mapsInShort}:`),
      held.map(([name, title]) => h("li", { class: name }, counted(groups.get(name).length, title.toLowerCase(), `group-${name}`)))),
  ];
}

/** All that is too close to call, by name: what is counted so can be found, under whichever heading it is told. */
function markedClose({ findings, determinations }) {
  const isMarked = ({ certainty }) => certainty === "too_close_to_call";
  const titles = [...determinations, ...findings].filter(isMarked).map(({ title }) => title);
  return titles.length ? h("p", { id: "marked-close", class: "small", tabindex: -1 }, `${ANSWER.marked} ${titles.join("; ")}.`) : null;
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

function basis({ input, bylaws, editions, id, engine }) {
  const grounds = editions.filter(({ layer }) => layer === "parcels" || layer === "towns");
  return h("details", { class: "paper" }, h("summary", {}, ANSWER.basis),
    h("p", {}, ANSWER.input(input)),
    input.notes.length ? h("ul", {}, input.notes.map(({ message }) => h("li", {}, message))) : null,
    h("ul", {}, bylaws.map((one) => h("li", {}, ANSWER.law(one))), grounds.map((one) => h("li", {}, ANSWER.ground(one)))),
    h("p", { class: "small" }, ANSWER.ids(id, input.sha256), ` ${engine}`));
}

