// What the maps show: affected first, then too close to call, unknown, none mapped, not affected.
import { away, h, pairs, table } from "./dom.js";
import { amount, areaWithShare, count, ft, percent, sqft } from "./numbers.js";
import { ANSWER, GROUPS, STATUS, TEXT } from "./texts.js";

const MOST_NAMES = 5;
const FEW = 3;
/** An id made from a shape that has no name of its own: nothing a person calls it. */
const MADE_ID = /^g[0-9a-f]{10}$/;
const isClose = ({ certainty }) => certainty === "too_close_to_call";

/** The status of a finding as its tag says it; what is too close to call says that first, unless it is a hit. */
export function statusInWords(finding) {
  const { status, certainty, theme } = finding;
  const plain = STATUS[isOfTheGround({ theme, status }) ? "measured" : status];
  const word = isByWord(finding) ? ANSWER.byWord(plain) : plain;
  if (!isClose({ certainty })) return word;
  return status === "affected" ? ANSWER.close(word) : ANSWER.closeFirst(word);
}

/** The group of a finding on the page. */
export function groupOf(finding) {
  if (finding.status === "no_data" || finding.status === "not_checked") return "unknown";
  if (isOfTheGround(finding)) return "ground";
  if (finding.status === "affected") return "affected";
  if (isClose(finding)) return "close";
  if (isByWord(finding)) return "delineated";
  return finding.status === "none_mapped" ? "none" : "clear";
}

/** Whether a map's "no" rests on the word of a delineation that was not measured here. */
export const isByWord = ({ status, delineation, delineation_measured: isMeasured }) => status === "not_affected" && Boolean(delineation) && !isMeasured;

/** Whether a finding describes the ground, which is no harm by itself. */
const isOfTheGround = ({ theme, status }) => (theme === "slope" || theme === "impervious") && status === "affected";

/** Whether a finding tells in which watershed the work lies: that is no harm, and it is told on its own. */
const isShare = ({ theme, status }) => (theme === "huc10" || theme === "huc12") && status === "affected";

/** Findings by group, in the order of the page. */
export function grouped(findings) {
  const groups = new Map(GROUPS.map(([name]) => [name, []]));
  for (const finding of findings.filter((one) => !isShare(one))) groups.get(groupOf(finding)).push(finding);
  return groups;
}

/** All groups that hold something. `light` is called with a finding that is pointed at. */
export function findingGroups(groups, light) {
  return GROUPS.map(([name, title, meaning]) => {
    const list = groups.get(name);
    if (!list.length) return null;
    const cards = name === "unknown" ? unknowns(list, light) : list.map((finding) => card(name, finding, light));
    const isFolded = name === "clear" || name === "none";
    return h("section", { "data-group": name }, h("h2", { id: `group-${name}`, tabindex: -1 }, title), h("p", { class: "hint" }, meaning),
      isFolded ? h("details", { class: "paper" }, h("summary", {}, ANSWER.layers(list.length)), cards) : cards);
  });
}

/** Why something is not known, without the title it may begin with. */
export function reasonOf({ title, why }) {
  const told = [`${title} was not checked: `, `${title}: `].reduce((text, head) => (text.startsWith(head) ? text.slice(head.length) : text), why);
  return told.charAt(0).toUpperCase() + told.slice(1);
}

/** What could not be checked: a card each, or one for many that want for the same reason. */
function unknowns(list, light) {
  const alike = (finding) => list.filter((one) => one.status === finding.status && reasonOf(one) === reasonOf(finding));
  const isFirst = (finding) => alike(finding)[0] === finding;
  return list.map((finding) => {
    const all = alike(finding);
    if (all.length < FEW) return card("unknown", finding, light);
    return isFirst(finding) ? gathered(all) : null;
  });
}

function gathered(all) {
  const [first] = all;
  return h("article", { class: "card unknown" }, h("h3", {}, ANSWER.severalMaps(all.length), h("span", { class: "tag" }, statusInWords(first))),
    h("p", {}, reasonOf(first)),
    h("ul", {}, all.map((one) => h("li", {}, one.title, provisions(one)))));
}

function card(name, finding, light) {
  return h("article", { class: `card ${isClose(finding) ? "close" : name}`, "data-theme": finding.theme, "data-layer": finding.layer.id, mouseenter: () => light(finding) },
    h("h3", {}, finding.title, h("span", { class: "tag" }, statusInWords(finding))),
    h("p", {}, finding.why),
    figures(finding),
    zones(finding),
    provisions(finding),
    h("p", { class: "small" }, edition(finding), finding.layer.source_url ? [" ", away(finding.layer.source_url, ANSWER.source)] : null),
    finding.features.length ? h("button", { type: "button", class: "quiet", click: () => light(finding, true), focus: () => light(finding) }, TEXT.showOnMap) : null);
}

function figures(finding) {
  const { figures: words } = ANSWER;
  return pairs([
    finding.disturbance_sqft ? [words.work, areaWithShare(finding.disturbance_sqft, finding.percent_of_disturbance)] : null,
    finding.parcel_sqft ? [words.lot, areaWithShare(finding.parcel_sqft, finding.percent_of_parcel)] : null,
    finding.length_ft ? [words.length, ft(finding.length_ft)] : null,
    finding.count ? [words.count, count(finding.count)] : null,
    finding.nearest_ft > 0 ? [isByWord(finding) ? words.nearestMapped : words.nearest, ft(finding.nearest_ft)] : null,
    finding.within_ft > 0 ? [words.reach, ft(finding.within_ft)] : null,
    finding.margin_ft !== null ? [words.margin, ft(finding.margin_ft)] : null,
    [ANSWER.named, names(finding.features)],
    ...grid(finding.grid),
  ]);
}

function grid(held) {
  if (!held) return [];
  const { grid: words } = ANSWER;
  const range = (low, high) => (low === null || low === undefined ? null : `${ft(low)}–${ft(high)}`);
  const share = (value) => (value === null || value === undefined ? null : percent(value));
  return [
    [words.mean, share(held.slope_mean_percent)], [words.p90, share(held.slope_p90_percent)], [words.max, share(held.slope_max_percent)],
    [words.elevation, range(held.elevation_min_ft, held.elevation_max_ft)],
    held.unknown_percent > 0 ? [words.unknown, percent(held.unknown_percent)] : null,
  ];
}

function names(features) {
  const all = [...new Set(features.map(({ label }) => label).filter((label) => label && !MADE_ID.test(label)))];
  return all.slice(0, MOST_NAMES).join(", ") + (all.length > MOST_NAMES ? ANSWER.more(all.length - MOST_NAMES) : "");
}

function zones({ title, zones: all }) {
  const used = all.filter(({ disturbance_sqft: work, parcel_sqft: lot }) => work || lot);
  if (!used.length) return null;
  const name = ({ from_ft: from, to_ft: to }) => (to === 0 ? ANSWER.onIt : ANSWER.upTo(amount(from), amount(to)));
  const rows = used.map((zone) => [name(zone), sqft(zone.disturbance_sqft), sqft(zone.parcel_sqft)]);
  return table({ caption: ANSWER.zonesCaption(title), columns: ANSWER.zoneColumns, rows, numbers: [1, 2] });
}

function provisions({ legal_provisions: all, authority }) {
  if (!all.length) return null;
  const named = all.map(({ title, section, url }) => {
    const text = section ? `${title}, ${section}` : title;
    return url ? away(url, text) : text;
  });
  return h("p", { class: "small" }, named.flatMap((one, at) => (at ? ["; ", one] : [one])), authority ? `. ${authority}.` : ".");
}

function edition({ layer, status, title }) {
  if (!layer.edition) return (status === "no_data" ? ANSWER.notCovered : ANSWER.notLoaded)(layer.title ?? title);
  return ANSWER.edition(layer, layer.scale ? `, 1:${count(layer.scale)}` : "", ft(layer.accuracy_ft));
}

/** The findings as one table, which says what the map shows. */
export function findingTable(all) {
  const rows = all.map((one) => [one.title, isByWord(one) ? ANSWER.byWord(STATUS[one.status]) : STATUS[one.status], ANSWER.certainty[one.certainty], sqft(one.disturbance_sqft), ft(one.nearest_ft), ft(one.margin_ft), one.layer.edition ?? "–"]);
  return h("details", { class: "paper" }, h("summary", {}, ANSWER.table), table({ id: "as-table", caption: ANSWER.table, columns: ANSWER.tableColumns, rows, numbers: [3, 4, 5] }));
}
