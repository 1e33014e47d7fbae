// The lists made last, to be opened again; those that are certified may take another's place.
import { get, hasKey } from "./api.js";
import { byId, fill, h } from "./dom.js";
import { LIST } from "./texts.js";

const MOST = 20;
let known = [];

/** The lists last shown, newest first. */
export const keptLists = () => known;

/** Show the lists made last; without a key there are none to see. `open` opens one. */
export async function showKept(open) {
  const told = hasKey() ? await get(`/v1/abutter-lists?limit=${MOST}`).catch(() => null) : null;
  known = told?.lists ?? [];
  byId("kept-note").textContent = !told ? LIST.keptNeedsKey : !known.length ? LIST.keptNone : told.more ? LIST.keptMore(MOST) : LIST.keptAll;
  fill(byId("kept"), known.map((one) => h("li", {}, h("button", { type: "button", click: () => open(one.id) }, LIST.kept(one)))));
}
