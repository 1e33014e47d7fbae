// One abutter list: who is on it and why, what to look at, the steps of its life, its files.
import { download, get } from "./api.js";
import { byId, field, fill, h, refusal, say, table } from "./dom.js";
import { ft } from "./numbers.js";
import { certifying, mailing, reviewing, superseding } from "./review.js";
import { LIST, TEXT } from "./texts.js";

/** Say something where it is seen from a button far below it, too. */
export function announce(...children) {
  say(...children);
  byId("notice").scrollIntoView({ block: "nearest" });
}

/** Fill the answer with a list. `move` takes its next step, `light` shows a parcel, `others` are the other lists. */
export function showList(list, { move, light, others = [] }) {
  fill(byId("answer"), heading(list), warnings(list), dates(list), alike(list), files(list), rows(list, light),
    list.status === "draft" || list.status === "reviewed" ? reviewing(list, move) : nearMisses(list),
    list.status === "reviewed" ? certifying(list, move) : null, list.status === "certified" || list.status === "expired" ? mailing(list, move) : null, excluded(list),
    list.status === "superseded" ? null : superseding(list, move, others));
}

function heading({ id, status, rule, counts, subject, tax_list: taxes, certified, superseded, invented }) {
  const around = subject.map(({ site_address: address, loc_id: loc }) => address ?? loc).join("; ") || LIST.drawn;
  return [
    h("h2", {}, LIST.title(status)),
    invented ? h("p", {}, h("strong", {}, LIST.sample)) : null,
    superseded ? h("p", {}, h("strong", {}, LIST.supersededBy(superseded))) : null,
    h("p", { id: "counts" }, LIST.counts(counts, around)),
    certified ? h("p", {}, h("strong", {}, LIST.certifiedBy(certified))) : null,
    h("p", { class: "small" }, LIST.rule(rule.citation || LIST.plain, ft(rule.within_ft), taxes.map(LIST.taxes).join("; "))),
    rule.how ? h("p", { class: "small" }, `${LIST.how}: ${rule.how}`) : null,
    h("p", { class: "small" }, id),
  ];
}

/** Each warning under what it asks for: an answer before the list is certified, or nothing. */
function warnings({ warnings: all, certified }) {
  const group = (title, told) => (told.length ? [h("h3", {}, title), told.map(({ code, message, blocks }) => h("div", { class: blocks ? "box bad" : "box", role: "note" }, message, h("span", { class: "small" }, ` ${code}`)))] : null);
  return [group(certified ? LIST.certifiedDespite : LIST.needsAnswer, all.filter(({ blocks }) => blocks)), group(LIST.onlyTold, all.filter(({ blocks }) => !blocks))];
}

function alike({ alike: all, notices }) {
  if (!all.length) return null;
  return h("div", { class: "box", role: "note" }, LIST.alike, h("ul", {}, all.map(({ notices: [one, other] }) => h("li", {}, `${notices[one].lines.join(", ")} – ${notices[other].lines.join(", ")}`))));
}

// ------------------------------------------------------------------ files

function files(list) {
  const buttons = Object.entries(LIST.fileNames).map(([path, text]) => h("button", { type: "button", click: () => fetchFile(list, path, text) }, text));
  return [h("h3", {}, LIST.files), h("div", { class: "actions" }, buttons, h("button", { type: "button", click: () => compare(list) }, LIST.changes)), labels(list)];
}

/** Say what is different today from the list as it was made. */
async function compare({ url }) {
  try {
    const told = await get(`${url}/changes`);
    announce(h("div", { class: told.unchanged ? "box good" : "box bad" }, told.unchanged ? LIST.unchanged : LIST.changed(told)));
  } catch (problem) {
    announce(refusal(problem));
  }
}

function labels(list) {
  const sheets = Object.entries(LIST.sheets).map(([value, text]) => h("option", { value }, text));
  const form = h("form", { class: "row", id: "labels" },
    field(LIST.sheet, { id: "sheet", name: "sheet" }, "select", sheets),
    field(LIST.start, { id: "start", name: "start", type: "number", min: 1, max: 30, value: 1, required: true }),
    list.status === "expired" || list.status === "superseded" ? h("label", { class: "tick" }, h("input", { type: "checkbox", name: "anyway", value: "true" }), ` ${LIST.anyway}`) : null,
    h("button", {}, LIST.getLabels));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fetchFile(list, `/labels.pdf?${new URLSearchParams(new FormData(form))}`, LIST.labels);
  });
  return form;
}

async function fetchFile({ id, url }, path, text) {
  const [, name, ending] = /^\/?(\w*)(\.\w+)/.exec(path);
  const file = `${name || "abutters"}-${id}${ending}`;
  try {
    await download(`${url}${path}`, file);
    announce(LIST.got(text));
  } catch (problem) {
    announce(refusal(problem));
  }
}

// ------------------------------------------------------------------ who is on it

function rows({ abutters }, light) {
  const shown = table({
    id: "abutters", caption: LIST.caption, columns: LIST.columns, numbers: [3],
    rows: abutters.map((one, at) => [String(at + 1), parcel(one, light), one.site_address ?? "–", ft(one.distance_ft), LIST.relation[one.relation] ?? one.relation, owners(one), [byHand(one), one.flags.map((flag) => h("div", {}, flag.replaceAll("_", " ")))]]),
  });
  return shown;
}

function parcel({ map_par_id: lot, loc_id: id }, light) {
  return h("button", { type: "button", class: "link", "aria-label": `${TEXT.showOnMap}: ${lot ?? id}`, click: () => light(id), focus: () => light(id), mouseenter: () => light(id) }, lot ?? id);
}

/** What a review did to a row, with the reason. */
const byHand = ({ rules }) => rules.filter((text) => /^(added by hand|restored in review): /.test(text)).map((text) => h("div", {}, text));

function owners({ owners: all }) {
  if (!all.length) return LIST.noOwner;
  return all.map(({ owner, address, city, state, zip, country, entered_by_hand: why }) => h("div", {}, h("strong", {}, owner || LIST.noOwner), h("br"), [address, [city, state, zip].filter(Boolean).join(" "), country].filter(Boolean).join(", "), why ? h("div", { class: "small" }, LIST.enteredByHand(why)) : null));
}

function nearMisses({ near_misses: all }) {
  return all.length ? [h("h3", {}, LIST.nearMisses), h("ul", {}, all.map((one) => h("li", {}, LIST.add(one.site_address ?? one.loc_id, ft(one.distance_ft)))))] : null;
}

function excluded({ excluded: all }) {
  return all.length ? h("details", {}, h("summary", {}, LIST.excluded(all.length)), h("ul", {}, all.map(({ loc_id: id, reason }) => h("li", {}, `${id}: ${reason}`)))) : null;
}

/** The dates that follow, told before the files: a mailing made too late is made in vain. */
function dates({ deadlines: all, mail_by: by, mail_by_law: law }) {
  const told = all.map((one) => [one.what, one.raw, one.rolled, [lastDay(inPractice(one)), one.closed ? h("div", { class: "small" }, one.closed) : null], one.citation]);
  return [h("h3", {}, LIST.dates), by ? h("p", { id: "mail-by" }, h("strong", {}, LIST.mailBy(by, law))) : null,
    told.length ? table({ caption: LIST.dates, columns: LIST.dateColumns, rows: told }) : h("p", { class: "hint" }, LIST.noDates)];
}

const inPractice = ({ practical, rolled }) => (practical && practical < rolled ? practical : rolled);

/** A last day as the calendar in Massachusetts stands: one that is over says so. */
function lastDay(day) {
  const today = new Date().toLocaleDateString("en-CA", { timeZone: "America/New_York" });
  return day < today ? h("strong", {}, LIST.over(day)) : day;
}
