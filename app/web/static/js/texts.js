// Every text a person reads that is not in the service's own answers. One language now, one place.

export const TEXT = {
  looking: "Looking…",
  reading: "Reading the file…",
  screening: "Screening…",
  done: "Done. The answer follows.",
  nothingFound: "No parcel matches. Try the street name alone, or click the map.",
  moreFound: "There are more; narrow the search.",
  remove: "Remove",
  drawHint: "Click the corners on the map; click the first one again to close. Escape gives up.",
  drawnName: (n) => `Polygon ${n}`,
  activity: "What is done there",
  readAs: "Understood",
  useThis: "This is right: screen it",
  declareCrs: "Coordinate system of the file",
  chooseLayer: "Layer in the file",
  readAgain: "Read it again so",
  share: "Link to this answer",
  copied: "The link is copied.",
  pdf: "Report (PDF)",
  geojson: "GeoJSON",
  json: "JSON",
  noMap: "The map's libraries were not placed when this was installed. Everything else works; reinstall with internet to have the map.",
  facts: "Some rules need a fact that no map holds. Leave open what you do not know.",
  again: "Screen again with these",
  unknownFact: "not known",
};

export const ACTIVITIES = {
  "": "Grading and clearing (not said)",
  grading: "Grading",
  clearing: "Clearing",
  building: "Building",
  paving: "Paving",
  storage: "Storage of fill",
  tree_removal: "Tree removal",
};

export const STATUS = {
  affected: "Affected",
  not_affected: "Not affected",
  none_mapped: "None mapped",
  no_data: "No data here",
  not_checked: "Not checked",
};

export const RESULT = {
  triggered: "Triggered",
  not_triggered: "Not triggered",
  indeterminate: "Cannot be told",
  needs_input: "Needs an answer",
};

export const GROUPS = [
  ["affected", "Affected", "The work is on mapped ground of these layers, or within their reach."],
  ["close", "Too close to call", "Within the accuracy of the map or of the limit of work; a survey decides."],
  ["unknown", "Unknown", "These could not be checked. Unknown is not \"no\"."],
  ["none", "None mapped", "The map shows nothing here, and it is known to miss things the law protects."],
  ["clear", "Not affected", "A complete map that covers the site shows nothing within reach."],
];

export const UNITS = { sqft: "sq ft", ft: "ft", acres: "acres", cuyd: "cu yd", cuft: "cu ft", percent: "%", in: "in" };
