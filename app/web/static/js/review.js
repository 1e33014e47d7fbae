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
  if (!open.length) return [h("p", {}, LIST.allMailed), correcting(list, move)];
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

/** The form that corrects a day that letters were reported for. */
function correcting({ notices }, move) {
  const days = [...new Set(notices.map(({ mailed_on: day }) => day))].filter(Boolean).sort();
  if (!days.length) return null;
  const form = h("form", { class: "box", id: "corrected" }, h("h3", {}, LIST.correctTitle),
    h("div", { class: "row" },
      field(LIST.correctWrong, { id: "correct-wrong", name: "wrong" }, "select", days.map((day) => h("option", { value: day }, LIST.mailedThen(day, notices.filter((one) => one.mailed_on === day).length)))),
      field(LIST.correctRight, { id: "correct-right", name: "right", type: "date", required: true })),
    h("div", { class: "go" }, h("button", {}, LIST.correct)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const told = new FormData(form);
    const mailings = notices.map(({ mailed_on: day }, notice) => ({ day, notice })).filter(({ day }) => day === told.get("wrong")).map(({ notice }) => ({ notice, mailed_on: told.get("right") }));
    move("mailings", { mailings }, LIST.corrected);
  });
  return form;
}

/** The form that ends a list; only one that is certified may take its place. */
export function superseding(list, move, others) {
  const certified = others.filter(({ id, status }) => status === "certified" && id !== list.id);
  const form = h("form", { id: "supersede" },
    field(LIST.successor, { id: "successor", name: "successor" }, "select", [h("option", { value: "" }, LIST.noSuccessor), certified.map((one) => h("option", { value: one.id }, LIST.kept(one)))]),
    field(LIST.supersedeReason, { id: "supersede-reason", name: "reason", type: "text", maxlength: 300, required: true }),
    h("div", { class: "go" }, h("button", {}, LIST.supersede)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    move("supersede", Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")), LIST.supersededNow);
  });
  return h("details", { class: "box" }, h("summary", {}, LIST.supersedeTitle), form);
}
