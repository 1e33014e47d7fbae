// Ask only the facts that a rule of this very answer needs.
import { byId, fill, h } from "./dom.js";
import { TEXT, UNITS } from "./texts.js";

/** Show a form for the facts that determinations need; `again` is called with the facts given. */
export function askFacts(screening, definitions, again) {
  const needed = new Set(screening.determinations.flatMap(({ needs }) => needs));
  const asked = definitions.filter(({ name }) => needed.has(name));
  byId("asking").hidden = asked.length === 0;
  fill(byId("facts"), h("p", { class: "hint" }, TEXT.facts), asked.map(field), h("div", { class: "go" }, h("button", {}, TEXT.again)));
  byId("facts").onsubmit = (event) => {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(byId("facts"))].filter(([, value]) => value !== ""));
    again(given);
  };
}

function field(fact) {
  const unit = fact.unit ? ` (${UNITS[fact.unit] ?? fact.unit})` : "";
  return [h("label", { for: `fact-${fact.name}` }, fact.meaning + unit), input(fact)];
}

function input({ name, type, choices = [] }) {
  const common = { id: `fact-${name}`, name };
  const options = type === "flag" ? ["true", "false"] : choices;
  if (type === "choice" || type === "flag") return h("select", common, h("option", { value: "" }, TEXT.unknownFact), options.map((value) => h("option", { value }, { true: "yes", false: "no" }[value] ?? value)));
  if (type === "date") return h("input", { ...common, type: "date" });
  return type === "number" ? h("input", { ...common, type: "number", step: "any" }) : h("input", { ...common, type: "text", maxlength: 200 });
}
