// Find parcels by address, map-lot or LOC_ID, or by a click; keep the ones chosen.
import { byId, fill, h, refusal, say } from "./dom.js";
import { get } from "./api.js";
import { TEXT } from "./texts.js";

/** Wire the search form; returns the chosen parcels. `changed` is told with the list. */
export function parcelChooser({ changed, located }) {
  const chosen = new Map();
  const draw = () => {
    fill(byId("chosen"), [...chosen.values()].map((parcel) => h("li", {}, name(parcel),
      h("button", { type: "button", "aria-label": `${TEXT.remove} ${name(parcel)}`, click: () => toggle(parcel) }, "×"))));
    changed([...chosen.keys()]);
  };
  const toggle = (parcel) => {
    if (chosen.has(parcel.loc_id)) chosen.delete(parcel.loc_id);
    else chosen.set(parcel.loc_id, parcel);
    draw();
  };
  const choose = async (locId, { move = true } = {}) => {
    try {
      const parcel = await get(`/v1/parcels/${encodeURIComponent(locId)}`);
      if (move) located(parcel);
      toggle(parcel);
    } catch (problem) {
      say(refusal(problem));
    }
  };
  byId("find").addEventListener("submit", async (event) => {
    event.preventDefault();
    await search(byId("q").value.trim(), choose);
  });
  return { choose, list: () => [...chosen.keys()] };
}

const name = (parcel) => parcel.site_address || parcel.map_par_id || parcel.loc_id;

async function search(text, choose) {
  if (!text) return;
  say(TEXT.looking);
  try {
    const { parcels, more } = await get("/v1/parcels", { q: text, limit: 12 });
    say(parcels.length ? (more ? TEXT.moreFound : "") : TEXT.nothingFound);
    fill(byId("found"), parcels.map((parcel) => h("li", {}, h("button", { type: "button", click: () => {
      fill(byId("found"));
      choose(parcel.loc_id);
    } }, `${name(parcel)} (${parcel.map_par_id ?? parcel.loc_id})`))));
  } catch (problem) {
    say(refusal(problem));
  }
}
