// Review and certification: what a reviewer may add, leave out or enter, each with its reason; then the assessor's seal.
import { field, h } from "./dom.js";
import { ft } from "./numbers.js";
import { LIST } from "./texts.js";

const DROPPABLE = "opposite_beyond_the_distance";
const OWNER = Object.keys(LIST.ownerFields);

/** The form of a review. */
export function reviewing(list, move) {
  const droppable = list.abutters.filter(({ flags }) => flags.includes(DROPPABLE));
  const ownerless = list.abutters.filter(({ owners }) => !owners.some(({ owner }) => owner));
  if (list.status !== "draft" && !list.near_misses.length && !droppable.length && !ownerless.length) return null;
  const form = h("form", { class: "box", id: "review" }, h("h3", {}, LIST.reviewTitle),
    ticks(list.near_misses, "add", { title: LIST.nearMisses, hint: LIST.nearMissHint, reason: LIST.addReason }),
    ticks(droppable, "drop", { title: LIST.drop, hint: LIST.dropHint, reason: LIST.dropReason }),
    ownerless.map(entering),
    h("div", { class: "go" }, h("button", { class: "main" }, LIST.review)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    move("review", said(new FormData(form), ownerless), LIST.reviewed);
  });
  return form;
}

function ticks(parcels, name, { title, hint, reason }) {
  if (!parcels.length) return null;
  return h("fieldset", {}, h("legend", {}, title), h("p", { class: "hint" }, hint),
    parcels.map((one) => h("label", { class: "tick" }, h("input", { type: "checkbox", name, value: one.loc_id }), ` ${LIST.add(one.site_address ?? one.loc_id, ft(one.distance_ft))}`)),
    field(reason, { id: `${name}-reason`, name: `${name}-reason`, type: "text", maxlength: 300 }));
}

function entering({ loc_id: id, map_par_id: lot, site_address: address }) {
  return h("fieldset", {}, h("legend", {}, `${lot ?? id} ${address ?? ""}`), h("p", { class: "hint" }, LIST.ownerHint),
    h("div", { class: "row" }, OWNER.map((name) => field(LIST.ownerFields[name], { id: `${name}-${id}`, name: `${name}-${id}`, type: "text", maxlength: 200 }))));
}

function said(form, ownerless) {
  const ticked = (name) => form.getAll(name).map((id) => ({ loc_id: id, reason: form.get(`${name}-reason`) }));
  const entered = ownerless.filter(({ loc_id: id }) => form.get(`owner-${id}`)).map(({ loc_id: id }) =>
    Object.fromEntries([["loc_id", id], ...OWNER.map((name) => [name, form.get(`${name}-${id}`)]).filter(([, value]) => value)]));
  return { add: ticked("add"), drop: ticked("drop"), owners: entered };
}

/** The form of a certification; standing warnings must be answered. */
export function certifying(list, move) {
  const blocks = list.warnings.some(({ blocks: stands }) => stands);
  const form = h("form", { class: "box", id: "certify" }, h("h3", {}, LIST.certifyTitle),
    h("div", { class: "row" }, Object.entries(LIST.certifyFields).map(([name, text]) => field(text, { id: `certify-${name}`, name, type: name === "on" ? "date" : "text", required: true, maxlength: 80 }))),
    blocks ? field(LIST.despite, { id: "certify-despite", name: "despite", type: "text", maxlength: 500 }) : null,
    h("div", { class: "go" }, h("button", { class: "main" }, LIST.certify)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    move("certify", Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")), LIST.certified);
  });
  return form;
}

/** The form that reports all letters of a certified list as mailed; the affidavit is made from it. */
export function mailing(list, move) {
  const open = list.notices.map((notice, at) => [notice, at]).filter(([{ mailed_on: day }]) => !day);
  if (!open.length) return h("p", {}, LIST.allMailed);
  const form = h("form", { class: "box", id: "mailed" }, h("h3", {}, LIST.mailedTitle(open.length)),
    h("div", { class: "row" }, field(LIST.mailedOn, { id: "mailed-on", name: "on", type: "date", required: true })),
    open.map(([{ lines }, at]) => field(LIST.article(lines[0]), { id: `article-${at}`, name: `article-${at}`, type: "text", maxlength: 40 })),
    h("div", { class: "go" }, h("button", { class: "main" }, LIST.reportMailed)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const told = new FormData(form);
    const mailings = open.map(([, at]) => ({ notice: at, mailed_on: told.get("on"), ...(told.get(`article-${at}`) ? { article_number: told.get(`article-${at}`) } : {}) }));
    move("mailings", { mailings }, LIST.mailedKept);
  });
  return form;
}
