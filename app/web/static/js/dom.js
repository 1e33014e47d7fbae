// Build the page from values; text never becomes markup.

/** Make an element. Attributes whose value is null, undefined or false are left out; functions become listeners. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put children in place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
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
  return h("div", { class: "box bad" }, h("p", {}, h("strong", {}, problem.detail)), more, h("p", { class: "small" }, problem.code));
}
