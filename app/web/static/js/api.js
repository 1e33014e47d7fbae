// Ask the service. A refusal is thrown as a Problem with the fields of application/problem+json.
import { SERVICE } from "./texts.js";

export class Problem extends Error {
  constructor(told) {
    super(told.detail);
    this.name = "Problem";
    this.code = told.code;
    this.detail = told.detail;
    this.status = told.status;
    this.suggestions = told.suggestions ?? [];
  }
}

let key = sessionStorage.getItem("key") ?? "";

/** Keep a staff key for this tab. */
export function useKey(text) {
  key = text;
  if (text) sessionStorage.setItem("key", text);
  else sessionStorage.removeItem("key");
}

export const hasKey = () => key !== "";

function headers(more = {}) {
  return key ? { ...more, "X-API-Key": key } : more;
}

async function checked(response) {
  if (response.ok) return response;
  let told;
  try {
    told = await response.json();
  } catch {
    told = { code: "internal", status: response.status, detail: SERVICE.answered(response.status) };
  }
  throw new Problem(told);
}

async function send(path, options) {
  try {
    return await checked(await fetch(path, options));
  } catch (trouble) {
    if (trouble instanceof Problem) throw trouble;
    throw new Problem({ code: "unreachable", status: 0, detail: SERVICE.unreachable });
  }
}

const isSaid = (value) => value !== null && value !== undefined;

/** GET a JSON answer. */
export async function get(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => isSaid(value) && value !== ""));
  const response = await send(query.size ? `${path}?${query}` : path, { headers: headers() });
  return response.json();
}

/** POST JSON. */
export async function post(path, body) {
  const response = await send(path, { method: "POST", headers: headers({ "Content-Type": "application/json" }), body: JSON.stringify(body) });
  return response.json();
}

/** POST files and fields: `parts` maps a field to its files, `fields` a field to a value or several. */
export async function postForm(path, parts, fields) {
  const form = new FormData();
  for (const [name, files] of Object.entries(parts)) for (const file of files) form.append(name, file, file.name);
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat().filter(isSaid)) form.append(name, value);
  const response = await send(path, { method: "POST", headers: headers(), body: form });
  return response.json();
}

/** GET bytes that need a key, and hand them to the person as a file. */
export async function download(path, name) {
  const response = await send(path, { headers: headers() });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
