// The reading of a file is shown before anything is screened; what is missing can be declared.
import { byId, fill, h, refusal } from "./dom.js";
import { sqft } from "./numbers.js";
import { TEXT } from "./texts.js";

const SYSTEMS = ["EPSG:2249", "EPSG:26986", "EPSG:6492", "EPSG:6491", "EPSG:4326", "EPSG:4269", "EPSG:3857", "EPSG:26919"];

/** Show what was understood. */
export function showReading(inspection) {
  const box = byId("reading");
  box.hidden = false;
  fill(box, h("div", { class: "box good" },
    h("h3", {}, TEXT.readAs),
    h("dl", { class: "facts" }, [
      ["Format", inspection.format],
      ["Coordinate system", `${inspection.crs} (${{ file: "from the file", declared: "as you say", format: "as the format has it" }[inspection.crs_source]})`],
      ["Layer", inspection.layer],
      ["Polygons", String(inspection.n_features)],
      ["Area", sqft(inspection.area_sqft)],
    ].map(([term, value]) => [h("dt", {}, term), h("dd", {}, value)])),
    inspection.notes.length ? [h("p", {}, "Noted:"), h("ul", {}, inspection.notes.map(({ message }) => h("li", {}, message)))] : null));
}

/** Show a refusal with what would mend it; `again` is called with {crs, layer}. */
export function showRefusal(problem, again) {
  const box = byId("reading");
  box.hidden = false;
  const form = mending(problem);
  if (form) form.addEventListener("submit", (event) => {
    event.preventDefault();
    again(Object.fromEntries(new FormData(form)));
  });
  fill(box, refusal(problem), form);
}

function mending({ code, suggestions }) {
  if (code === "crs_missing") return choice("crs", TEXT.declareCrs, [...new Set([...suggestions, ...SYSTEMS])]);
  if (code === "several_layers" && suggestions.length) return choice("layer", TEXT.chooseLayer, suggestions);
  return null;
}

function choice(name, label, options) {
  return h("form", { class: "box" },
    h("label", { for: `mend-${name}` }, label),
    h("select", { id: `mend-${name}`, name }, options.map((option) => h("option", { value: option }, option))),
    h("div", { class: "go" }, h("button", {}, TEXT.readAgain)));
}
