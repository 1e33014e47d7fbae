// Find parcels by address, map-lot or LOC_ID, or by a click; keep the ones chosen.
import { get } from "./api.js";
import { byId, fill, h, refusal, say } from "./dom.js";
import { TEXT } from "./texts.js";

export const parcelName = (parcel) => parcel.site_address || parcel.map_par_id || parcel.loc_id;

/** Wire the search form. `changed` is told when the choice changes, `located` when a found parcel is to be shown. */
export function parcelChooser({ changed, located }) {
  const chosen = new Map();
  const draw = () => {
    fill(byId("chosen"), [...chosen.values()].map((parcel) => h("li", {}, parcelName(parcel),
      h("button", { type: "button", "aria-label": `${TEXT.remove} ${parcelName(parcel)}`, click: () => toggle(parcel) }, "×"))));
    changed([...chosen.values()]);
  };
  const toggle = (parcel) => {
    if (chosen.has(parcel.loc_id)) chosen.delete(parcel.loc_id);
    else chosen.set(parcel.loc_id, parcel);
    draw();
  };
  const choose = async (locId, { move = true } = {}) => {
    try {
      const parcel = await get(`/v1/parcels/${encodeURIComponent(locId)}`, { exact: true });
      toggle(parcel);
      if (move) located(parcel);
      say("");
    } catch (problem) {
      say(refusal(problem));
    }
  };
  byId("find").addEventListener("submit", async (event) => {
    event.preventDefault();
    await search(byId("q").value.trim(), choose);
  });
  return { choose, all: () => [...chosen.values()], ids: () => [...chosen.keys()] };
}

async function search(text, choose) {
  if (!text) return;
  const tell = (...told) => fill(byId("found-note"), ...told);
  tell(TEXT.looking);
  try {
    const { parcels, more } = await get("/v1/parcels", { q: text, limit: 12 });
    fill(byId("found"), parcels.map((parcel) => found(parcel, choose)));
    tell(!parcels.length ? TEXT.nothingFound : more ? TEXT.moreFound(parcels.length) : TEXT.foundMany(parcels.length));
  } catch (problem) {
    tell(refusal(problem));
  }
}

function found(parcel, choose) {
  const pick = () => {
    fill(byId("found"));
    fill(byId("found-note"));
    byId("q").focus();
    choose(parcel.loc_id);
  };
  return h("li", {}, h("button", { type: "button", click: pick }, `${parcelName(parcel)} (${parcel.map_par_id ?? parcel.loc_id})`));
}
