// Numbers as a person reads them; the answer's own figures are never changed, only written.
import { MARGIN, NUMBER, UNITS } from "./texts.js";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const known = (value) => value !== null && value !== undefined;

/** Write a number with its unit; null becomes a dash, and what is little is never written as nothing. */
export function amount(value, unit = "") {
  if (!known(value)) return "–";
  const text = Math.abs(value) >= 1000 ? whole.format(value) : fine.format(value);
  const isLost = value > 0 && text === "0";
  return `${isLost ? NUMBER.littleOf : text} ${UNITS[unit] ?? unit ?? ""}`.trim();
}

/** Write an area and its share; a share that is told as none of what is there, or all of what is not, says so. */
export function areaWithShare(area, share) {
  if (area > 0 && share === 0) return `${sqft(area)} (${NUMBER.littleOf} %)`;
  return `${sqft(area)} (${percent(share)})`;
}

/** Write acres from a tenth of one upwards; less says nothing beside square feet. */
export const acresBeside = (acres) => (acres >= 0.1 ? ` (${amount(acres, "acres")})` : "");

export const sqft = (value) => amount(value, "sqft");
export const ft = (value) => amount(value, "ft");
export const percent = (value) => amount(value, "percent");
export const count = (value) => whole.format(value ?? 0);

/** Whether a rule sets a measure against a threshold. */
export const isMeasured = ({ measured, threshold }) => known(measured) && known(threshold);

/** Say how far a measure is from its threshold; null for a rule that measures nothing. */
export function marginInWords(rule) {
  if (!isMeasured(rule)) return null;
  const { measured, threshold, unit } = rule;
  const by = amount(Math.abs(measured - threshold), unit);
  if (unit === "ft" && threshold === 0) return measured === 0 ? MARGIN.on : MARGIN.off(by);
  if (measured === threshold) return MARGIN.exact;
  if (unit === "ft") return (measured < threshold ? MARGIN.inside : MARGIN.beyond)(by, amount(threshold, unit));
  return (measured > threshold ? MARGIN.over : MARGIN.under)(by);
}

/** Say both figures and the margin, as one line under a bar. */
export function measuredInWords(rule) {
  const { measured, threshold, unit } = rule;
  if (unit === "ft" && threshold === 0) return `${marginInWords(rule)}.`;
  const both = (unit === "ft" ? MARGIN.away : MARGIN.measured)(amount(measured, unit), amount(threshold, unit));
  return `${both}: ${marginInWords(rule)}.`;
}

/** Say what would bring a triggered rule under; null when it hangs on no amount. */
export function wayUnder(rule) {
  if (rule.result !== "triggered" || !isMeasured(rule)) return null;
  const { measured, threshold, unit } = rule;
  const by = amount(Math.abs(measured - threshold), unit);
  if (unit === "ft") return threshold === 0 ? MARGIN.offIt : MARGIN.farToLeave(by, amount(threshold, unit));
  return measured === threshold ? MARGIN.exact : MARGIN.lessToLeave(MARGIN.over(by));
}
