import { forget } from "./kept.js";
import { recall, remember } from "./owner.js";

/**
 * The app's own files. Each version has a cache of its own, since open and kept pages go on using their version.
 */

/** The most versions that are kept. */
const most = 3;

/** The most files that are fetched at the same time. */
const lanes = 4;

const cacheOf = (version) => `tintype-static-${version}`;

/** The page for someone who isn't logged in and has no network, among the files of its version. */
const strangersPage = "/offline";

/**
 * Fetches all files of a version.
 *
 * @param {string} version
 * @param {string[]} files their names
 * @throws {Error} when one isn't there
 */
export async function install(version, files) {
  const cache = await caches.open(cacheOf(version));
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  const missing = files.map((file) => `/static/${version}/${file}`).filter((path) => !known.has(path));
  const fetchNext = async () => {
    for (let path = missing.pop(); path; path = missing.pop()) await add(cache, path, await fetch(path));
  };
  await Promise.all(Array.from({ length: lanes }, fetchNext));
  await add(cache, strangersPage, await fetch(strangersPage, { credentials: "omit", cache: "no-store" }));
}

async function add(cache, path, answer) {
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  await cache.put(path, answer);
}

/** Makes a version the newest, and drops the oldest of more than a few, with the kept pages that need it. */
export async function activate(version) {
  const before = ((await recall("versions")) ?? []).filter((one) => one !== version);
  const versions = [version, ...before].slice(0, most);
  await remember("versions", versions);
  const names = (await caches.keys()).filter((name) => name.startsWith(cacheOf("")));
  const kept = new Set(versions.map(cacheOf));
  // The next version may be filling a cache that is in no list yet. It will delete what this one leaves.
  const isNextComing = registration.installing || registration.waiting;
  const dropped = isNextComing ? [] : names.filter((name) => !kept.has(name));
  await Promise.all(dropped.map((name) => caches.delete(name)));
  await forget((entry) => entry.version && !versions.includes(entry.version));
}

/** @param {string} path under `/static/` @returns {Promise<Response | undefined>} the file, when it is kept */
export function find(path) {
  const [, , version] = path.split("/");
  return caches.match(path, { cacheName: cacheOf(version), ignoreVary: true });
}

/** @param {string} version @returns {Promise<Response | undefined>} the page without a network, for anybody */
export function strangersPageOf(version) {
  return caches.match(strangersPage, { cacheName: cacheOf(version), ignoreVary: true });
}
