// Build the page from values; text never becomes markup.
const kept = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/** Make an element. Attributes whose value is null, undefined or false are left out; functions become listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...kept(children));
  return element;
}

/** Put children in place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...kept(children));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Say something where screen readers hear it: a sentence, or a refusal with its remedy. */
export function say(...children) {
  fill(byId("notice"), ...children);
}

/** Show a refusal: its sentence and what one could say instead. */
export function refusal(problem) {
  const more = (problem.suggestions ?? []).length ? h("p", { class: "small" }, problem.suggestions.join(", ")) : null;
  return h("div", { class: "box bad" }, h("p", {}, h("strong", {}, problem.detail ?? problem.message)), more, h("p", { class: "small" }, problem.code ?? ""));
}

/** Names and what they are, as a description list; null for none. */
export function pairs(all) {
  const told = all.filter((pair) => pair && pair[1] !== null && pair[1] !== undefined && pair[1] !== "");
  return told.length ? h("dl", { class: "facts" }, told.map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])) : null;
}

/** A table that scrolls inside itself; the first cell of a row names it. `numbers` are the columns set as numbers. */
export function table({ caption, columns, rows, numbers = [], id = null }) {
  const kind = (at) => (numbers.includes(at) ? "number" : null);
  const head = h("tr", {}, columns.map((name, at) => h("th", { scope: "col", class: kind(at) }, name)));
  const body = rows.map((cells) => h("tr", {}, cells.map((cell, at) => (at ? h("td", { class: kind(at) }, cell) : h("th", { scope: "row" }, cell)))));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, h("table", { id }, h("caption", {}, caption), h("thead", {}, head), h("tbody", {}, body)));
}

/** A labelled input; `label` names it for everybody. */
export function field(label, attributes, tag = "input", ...children) {
  return h("div", {}, h("label", { for: attributes.id }, label), h(tag, attributes, ...children));
}

/** A link to somewhere else, which is not told where one comes from. */
export const away = (href, text) => h("a", { href, rel: "noreferrer", target: "_blank" }, text);

/** Let people in: until then a form would be sent the browser's own way, past this page. */
export function ready() {
  printWhole();
  document.querySelector("main").inert = false;
}

/** On paper no rule and no map of an answer is folded away: one that is not printed would look like none. */
function printWhole() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("#answer details.paper:not([open])")];
    for (const one of opened) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
  });
}
