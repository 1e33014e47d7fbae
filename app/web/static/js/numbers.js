// Numbers as a person reads them; the answer's own figures are never changed, only written.
import { UNITS } from "./texts.js";

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** Write a number with its unit; null becomes a dash. */
export function amount(value, unit = "") {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value) >= 1000 ? whole.format(value) : fine.format(value);
  const word = UNITS[unit] ?? unit;
  return word === "%" ? `${text} %` : `${text} ${word}`.trim();
}

export const sqft = (value) => amount(value, "sqft");
export const ft = (value) => amount(value, "ft");
export const percent = (value) => amount(value, "percent");

/** Say how far a measure is from its threshold, in words. */
export function marginInWords({ measured, threshold, unit, result }) {
  if (measured === null || threshold === null || measured === undefined || threshold === undefined) return null;
  const by = amount(Math.abs(measured - threshold), unit);
  if (measured === threshold) return "exactly at the threshold";
  if (unit === "ft") return measured <= threshold ? `${by} inside the ${amount(threshold, unit)} line; that far away and it is out` : `${by} beyond the ${amount(threshold, unit)} line`;
  if (measured > threshold) return result === "triggered" ? `${by} over; less work by that much brings it under` : `${by} over`;
  return `${by} under`;
}
