// Thresholds as bars. An amount reaches from nothing towards its threshold; a distance stands inside or outside a zone.
import { h } from "./dom.js";
import { isMeasured, measuredInWords } from "./numbers.js";

const OVER = "#a3251b";
const UNDER = "#1e6b3a";
const ZONE = "#e2b8b3";
const INK = "#1b2a30";

/** Return a bar with its words; null for a rule that measures nothing. */
export function bar(rule) {
  if (!isMeasured(rule)) return null;
  return [h("div", { class: "bar" }, rule.unit === "ft" ? distance(rule) : quantity(rule)), h("p", { class: "small" }, measuredInWords(rule))];
}

function quantity({ measured, threshold }) {
  const at = scale(measured, threshold);
  const colour = measured >= threshold ? OVER : UNDER;
  return picture([0, at(measured), colour], [at(threshold) - 0.4, 0.8, INK]);
}

function distance({ measured, threshold }) {
  const at = scale(measured, threshold);
  const colour = measured <= threshold ? OVER : UNDER;
  return picture([0, at(threshold), ZONE], [at(threshold) - 0.2, 0.4, INK], [Math.max(at(measured) - 0.6, 0), 1.2, colour]);
}

const scale = (measured, threshold) => (value) => (100 * value) / (Math.max(measured, threshold, 1e-9) * 1.1);

function picture(...boxes) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [name, value] of Object.entries({ viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" })) svg.setAttribute(name, value);
  svg.append(...boxes.map(([x, width, fill]) => box({ x, y: 0, width, height: 10, fill })));
  return svg;
}

function box(attributes) {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, value);
  return rect;
}
