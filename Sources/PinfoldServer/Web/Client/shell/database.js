const NAME = "pinfold";
const VERSION = 1;
/** Object stores by name, with the path of their key. */
const STORES = { pins: "id", facts: "name", outbox: "key" };

let opening = null;
const memory = new Map(Object.keys(STORES).map((name) => [name, new Map()]));

function open() {
  opening ??= new Promise((resolve) => {
    let request;
    try {
      request = indexedDB.open(NAME, VERSION);
    } catch {
      resolve(null);
      return;
    }
    request.onupgradeneeded = () => {
      for (const [name, keyPath] of Object.entries(STORES)) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name, { keyPath });
      }
    };
    // Signing out deletes the database under every window; the next use opens a new one.
    request.onsuccess = () => {
      const forget = () => {
        request.result.close();
        opening = null;
      };
      request.result.onversionchange = forget;
      request.result.onclose = () => {
        opening = null;
      };
      resolve(request.result);
    };
    request.onerror = () => resolve(null);
    request.onblocked = () => resolve(null);
  });
  return opening;
}

/** Runs `body` on an object store in one transaction; null where this browser keeps no database. */
async function transact(name, mode, body) {
  const database = await open();
  if (!database) return null;
  return new Promise((resolve, reject) => {
    let transaction;
    try {
      transaction = database.transaction(name, mode);
    } catch (error) {
      opening = null;
      reject(error);
      return;
    }
    const request = body(transaction.objectStore(name));
    transaction.oncomplete = () => resolve({ result: request?.result });
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

/** All that an object store (`pins`, `facts`, `outbox`) holds. */
export async function readAll(name) {
  const done = await transact(name, "readonly", (store) => store.getAll()).catch(() => null);
  return done ? done.result : [...memory.get(name).values()];
}

/** The value of a key, or undefined. */
export async function read(name, key) {
  const done = await transact(name, "readonly", (store) => store.get(key)).catch(() => null);
  return done ? done.result : memory.get(name).get(key);
}

/** Keeps values and drops keys, all or none; from memory alone where the browser keeps nothing. */
export async function write(name, values, dropped = []) {
  const done = await transact(name, "readwrite", (store) => {
    for (const value of values) store.put(value);
    for (const key of dropped) store.delete(key);
  }).catch(() => null);
  if (done) return;
  for (const value of values) memory.get(name).set(value[STORES[name]], value);
  for (const key of dropped) memory.get(name).delete(key);
}

/** Empties an object store. */
export async function clear(name) {
  memory.get(name).clear();
  await transact(name, "readwrite", (store) => {
    store.clear();
  }).catch(() => null);
}
