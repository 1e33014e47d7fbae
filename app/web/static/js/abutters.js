// Abutter lists for staff: pick the land, the rule and the distance; review, certify, mail.
import { get, hasKey, post, useKey } from "./api.js";
import { byId, fill, h, ready, refusal, say } from "./dom.js";
import { keptLists, showKept } from "./kept.js";
import { announce, showList } from "./list.js";
import { collection, fit, makeMap, onParcel, show } from "./map.js";
import { addOwnLayers, writeLegend } from "./own_layers.js";
import { parcelChooser } from "./parcels.js";
import { LIST } from "./texts.js";

const ROLES = { subject: "#1d4f5e", work: "#a3251b", ring: "#a3251b", abutter: "#8a4b00", near_miss: "#5b3a8c", excluded: "#8a999e" };
const SUBJECT = { color: ROLES.subject, width: 3, fill: 0.25 };
const FOUND = { by: "role", color: ROLES, width: 2, fill: 0.12 };
const LIT = { color: "#0b62d6", width: 4, fill: 0.35 };
const HEARING = ["board", "time", "place", "applicant", "project", "plans_at"];
const page = { map: null, parcels: null, screening: null, shapes: null };

start();

async function start() {
  page.screening = new URLSearchParams(location.search).get("screening");
  page.parcels = parcelChooser({ changed: choose, located: () => fit(page.map, lots()) });
  if (page.screening) fill(byId("chosen"), h("li", {}, LIST.workOf(page.screening)));
  wire();
  ready();
  const [about, layers] = await known();
  fill(byId("rule"), h("option", { value: "" }, LIST.plain), (about.notice_rules ?? []).filter(({ id }) => id !== "distance").map(({ id, title }) => h("option", { value: id }, title)));
  page.map = await makeMap(byId("map"), about);
  if (page.map) {
    const shown = addOwnLayers(page.map, layers.layers, ["parcels", "water_bodies", "streams"]);
    writeLegend(shown, Object.entries(LIST.legend).map(([role, title]) => [title, ROLES[role]]));
    onParcel(page.map, ({ loc_id: id }) => page.parcels.choose(id, { move: false }));
  }
  if (hasKey()) await checkKey();
  offer();
  await showKept(open);
  const list = new URLSearchParams(location.search).get("list");
  if (list && hasKey()) await open(list);
}

async function known() {
  try {
    return await Promise.all([get("/v1/page"), get("/v1/layers")]);
  } catch (problem) {
    useKey("");
    say(refusal(problem));
    return Promise.all([get("/v1/page"), get("/v1/layers")]).catch(() => [{}, { layers: [] }]);
  }
}

function wire() {
  const on = (id, act) => byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  on("sign", async () => {
    useKey(byId("key").value.trim());
    byId("key").value = "";
    await checkKey();
    offer();
    await showKept(open);
  });
  on("ask", make);
  on("open", () => open(byId("list-id").value.trim()));
}

/** Ask the service whose key this is; a wrong one is forgotten at once. */
async function checkKey() {
  try {
    const { role } = await get("/v1/page");
    const isUseful = role === "staff" || role === "assessor";
    byId("signed").textContent = isUseful ? LIST.keyKept(role) : LIST.keyUseless(role);
    say(isUseful ? LIST.keyKept(role) : h("div", { class: "box bad" }, LIST.keyUseless(role)));
    if (!isUseful) useKey("");
  } catch (problem) {
    useKey("");
    byId("signed").textContent = problem.detail;
    say(refusal(problem));
  }
}

// ------------------------------------------------------------------ the question

const lots = () => collection(page.parcels.all().map(({ geometry }) => ({ type: "Feature", properties: {}, geometry })));

function choose() {
  page.screening = null;
  show(page.map, "subject", lots(), SUBJECT);
  offer();
}

function offer() {
  const hasLand = page.parcels.ids().length > 0 || page.screening;
  byId("make").disabled = !(hasKey() && hasLand);
  byId("make").textContent = !hasKey() ? LIST.giveKey : hasLand ? LIST.make : LIST.pick;
}

function question() {
  const said = Object.fromEntries([...new FormData(byId("ask"))].filter(([, value]) => value !== ""));
  const hearing = Object.fromEntries(HEARING.filter((name) => said[name]).map((name) => [name, said[name]]));
  for (const name of HEARING) delete said[name];
  const land = page.screening ? { screening: page.screening } : { parcels: page.parcels.ids() };
  return { ...said, ...land, hearing, ...(said.within_ft ? { within_ft: Number(said.within_ft) } : {}) };
}

async function make() {
  say(LIST.making);
  try {
    await tell(await post("/v1/abutter-lists", question()), LIST.made);
  } catch (problem) {
    say(refusal(problem));
  }
}

async function open(id) {
  say(LIST.opening);
  try {
    await tell(await get(`/v1/abutter-lists/${encodeURIComponent(id)}`), "");
  } catch (problem) {
    say(refusal(problem));
  }
}

// ------------------------------------------------------------------ the list

async function tell(list, sentence) {
  history.replaceState(null, "", `/abutters?list=${encodeURIComponent(list.id)}`);
  const move = async (step, body, done) => {
    try {
      await tell(await post(`${list.url}/${step}`, body), done);
    } catch (problem) {
      announce(refusal(problem));
    }
  };
  await showKept(open);
  showList(list, { move, light, others: keptLists() });
  say(sentence);
  byId("answer").focus({ preventScroll: true });
  byId("notice").scrollIntoView({ block: "start" });
  page.shapes = await get(`${list.url}.geojson`).catch(() => null);
  if (page.shapes) {
    show(page.map, "subject", collection([]), SUBJECT);
    show(page.map, "found", page.shapes, FOUND);
    fit(page.map, collection(page.shapes.features.filter(({ properties }) => properties.role === "ring" || properties.role === "subject")));
  }
}

function light(locId) {
  const lit = collection((page.shapes?.features ?? []).filter(({ properties }) => properties.loc_id === locId));
  show(page.map, "lit", lit, LIT);
}
