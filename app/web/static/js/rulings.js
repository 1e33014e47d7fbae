// What the rules say: each with its bar, its reasons, its text and how that text is read.
import { bar } from "./bars.js";
import { away, h } from "./dom.js";
import { amount, wayUnder } from "./numbers.js";
import { ANSWER, RESULT } from "./texts.js";

const ORDER = ["triggered", "indeterminate", "needs_input", "not_triggered"];
const KIND = { triggered: "triggered", indeterminate: "unknown", needs_input: "unknown", not_triggered: "clear" };
const isClose = ({ certainty }) => certainty === "too_close_to_call";

/** All determinations, what is triggered or open first, what is surely not triggered folded away. */
export function rulings({ determinations: all, parcels }, laws) {
  const named = namer(parcels);
  const sorted = [...all].sort((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result) || Number(a.advisory) - Number(b.advisory));
  const isOpen = (one) => one.result !== "not_triggered" || isClose(one) || Boolean(one.delineation);
  const open = sorted.filter(isOpen);
  const rest = sorted.filter((one) => !isOpen(one));
  return [
    open.length ? open.map((one) => ruling(one, laws, named)) : h("p", {}, ANSWER.noRules),
    rest.length ? h("details", { class: "paper" }, h("summary", {}, ANSWER.others(rest.length)), rest.map((one) => ruling(one, laws, named))) : null,
  ];
}

function ruling(one, laws, named) {
  const word = RESULT[one.result];
  const kind = isClose(one) ? "close" : one.delineation ? "unknown" : KIND[one.result];
  const said = one.delineation ? ANSWER.byWord(word) : word;
  return h("article", { class: `card ${kind}`, "data-rule": one.rule },
    h("h3", {}, named(one), h("span", { class: "tag" }, isClose(one) ? ANSWER.close(said) : said)),
    one.advisory ? h("p", { class: "small" }, ANSWER.advice) : null,
    h("p", {}, one.why),
    one.delineation ? null : bar(one),
    h("p", { class: "small" }, `${one.citation}. ${permit(one)}${one.authority}.`, one.unverified ? ANSWER.unverified : ""),
    textOf(one, laws));
}

/** The permit that hangs on a rule; advice calls for none, and one that is not triggered only would. */
function permit({ approval, advisory, result }) {
  if (!approval || advisory) return "";
  return `${result === "triggered" ? approval : ANSWER.wouldNeed(approval)}: `;
}

/** Name a rule, and the lot it is about where there are several. */
function namer(parcels) {
  const address = new Map(parcels.map((one) => [one.loc_id, one.site_address ?? one.map_par_id]));
  return ({ title, loc_id: lot }) => `${title}${lot && parcels.length > 1 ? ` (${address.get(lot) ?? lot})` : ""}`;
}

function textOf(one, laws) {
  const law = laws.get(one.rule.split(".")[0]);
  const rule = law?.rules.find(({ id }) => id === one.rule);
  const url = rule?.url ?? law?.url;
  const policies = (law?.policies ?? []).filter(({ id }) => one.policies.includes(id));
  if (!one.quote && !policies.length && !url) return null;
  return h("details", {}, h("summary", {}, ANSWER.text),
    one.quote ? h("blockquote", {}, one.quote) : null,
    url ? h("p", {}, away(url, `${law.title}, ${one.citation}`)) : null,
    one.readings.length > 1 ? readings(one) : null,
    policies.map(policy));
}

function readings({ readings: all, unit }) {
  return [h("p", {}, ANSWER.readings), h("ul", {}, all.map(({ text, result, measured, threshold, policy: id }) =>
    h("li", {}, ANSWER.reading(text, RESULT[result], amount(measured, unit), amount(threshold, unit), id))))];
}

function policy(one) {
  const [question, reading] = ANSWER.policy(one);
  return h("p", { class: "small" }, h("strong", {}, question), " ", reading);
}

/** What would bring what is triggered under its threshold, a line each. */
export function waysUnder({ determinations: all, parcels }) {
  const named = namer(parcels);
  const binding = all.filter(({ result, advisory }) => result === "triggered" && !advisory);
  if (!binding.length) return null;
  const ways = binding.map((one) => [one, wayUnder(one)]).filter(([, words]) => words);
  return [h("h2", {}, ANSWER.under),
    ways.length ? h("ul", { id: "under" }, ways.map(([one, words]) => h("li", {}, h("strong", {}, named(one)), `: ${words}.`))) : h("p", {}, ANSWER.noWayUnder)];
}
