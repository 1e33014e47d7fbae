// Ask only the facts that a rule of this very answer needs; others its rules would use stand aside, folded away.
import { byId, fill, h } from "./dom.js";
import { FACTS, UNITS } from "./texts.js";

/** Show the form of an answer; `again` is called with the facts given, "" for one taken back. */
export function askFacts(screening, definitions, again) {
  const { needed, given, others } = sorted(screening, definitions);
  const form = byId("facts");
  byId("facts-title").textContent = FACTS.title(needed.length);
  byId("asking").hidden = !needed.length && !given.length && !others.length;
  fill(form, needed.length ? h("p", { class: "hint" }, FACTS.lead) : null, needed.map((fact) => field(fact)),
    given.length ? h("fieldset", {}, h("legend", {}, FACTS.given), given.map((fact) => field(fact, screening.facts[fact.name]))) : null,
    others.length ? h("details", {}, h("summary", {}, FACTS.more), others.map((fact) => field(fact))) : null,
    h("div", { class: "go" }, h("button", {}, FACTS.again)));
  form.onsubmit = (event) => {
    event.preventDefault();
    again(Object.fromEntries([...new FormData(form)].filter(([name, value]) => value !== "" || name in screening.facts)));
  };
}

/** Tell facts that are needed from those given (a default not counted) and those that rules of the answer would use. */
function sorted({ determinations, facts }, definitions) {
  const needs = new Set(determinations.flatMap(({ needs: names }) => names));
  const rules = new Set(determinations.map(({ rule }) => rule));
  const isGiven = ({ name, default: usual }) => name in facts && facts[name] !== usual;
  const given = definitions.filter(isGiven);
  const open = definitions.filter((fact) => !isGiven(fact));
  const needed = open.filter(({ name }) => needs.has(name));
  const others = open.filter(({ name, rules: asking }) => !needs.has(name) && (name === "work_accuracy_ft" || asking.some((rule) => rules.has(rule))));
  return { needed, given, others };
}

function field(fact, value = "") {
  const unit = fact.unit ? ` (${UNITS[fact.unit] ?? fact.unit})` : "";
  return [h("label", { for: `fact-${fact.name}` }, sentence(fact.meaning) + unit), input(fact, value)];
}

const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const shown = (value) => ({ true: FACTS.yes, false: FACTS.no })[value] ?? String(value).replaceAll("_", " ");

function input({ name, type, choices = [] }, value) {
  const common = { id: `fact-${name}`, name };
  const options = type === "flag" ? ["true", "false"] : choices;
  if (type === "choice" || type === "flag") {
    return h("select", common, h("option", { value: "" }, FACTS.unknown), options.map((one) => h("option", { value: one, selected: String(value) === one }, shown(one))));
  }
  const kind = { date: { type: "date" }, number: { type: "number", step: "any" } }[type] ?? { type: "text", maxlength: 200 };
  return h("input", { ...common, ...kind, value });
}
