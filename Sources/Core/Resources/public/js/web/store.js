/**
 * What the browser keeps when the page is closed: tables of values in IndexedDB, which pages and the service worker
 * share.
 */

/** Milliseconds after which the store counts as lost, and how often a lost one is opened again. */
const patience = 10_000;
const tries = 3;

/** The names of the browser's errors when it has closed the store by itself. */
const losses = ["InvalidStateError", "UnknownError", "AbortError", "TimeoutError"];

export class Store {
  #name;
  #tables;
  /** @type {Promise<IDBDatabase | null> | undefined} */
  #opened;
  #hasOpened = false;

  /**
   * @param {string} name of the database
   * @param {Record<string, IDBObjectStoreParameters>} tables all that it has
   */
  constructor(name, tables) {
    this.#name = name;
    this.#tables = tables;
  }

  /**
   * Runs one request of a table in a transaction, and waits until that is kept.
   *
   * @template T, Instead
   * @param {string} table
   * @param {IDBTransactionMode} mode
   * @param {(table: IDBObjectStore) => IDBRequest<T>} action
   * @param {() => Instead} instead called where the browser keeps nothing (some private windows)
   * @returns {Promise<T | Instead>} what the request found
   */
  async run(table, mode, action, instead) {
    for (let number = 1; ; number += 1) {
      try {
        const database = await this.#open();
        return database ? await transact(database, table, mode, action) : instead();
      } catch (error) {
        if (number === tries || !losses.includes(error.name)) throw error;
        this.#forget();
      }
    }
  }

  /** @returns {Promise<IDBDatabase | null>} null where the browser keeps nothing */
  #open() {
    this.#opened ??= new Promise((resolve, reject) => {
      const opening = indexedDB.open(this.#name, 1);
      opening.onupgradeneeded = () => {
        for (const [table, keys] of Object.entries(this.#tables)) opening.result.createObjectStore(table, keys);
      };
      opening.onsuccess = () => {
        this.#hasOpened = true;
        // WebKit closes the database while the page is in the background. Erasing the site's data closes it, too.
        opening.result.onclose = () => this.#forget();
        opening.result.onversionchange = () => this.#forget();
        resolve(opening.result);
      };
      opening.onerror = () => reject(opening.error);
      setTimeout(() => reject(new DOMException("The store does not open.", "TimeoutError")), patience);
    }).catch((error) => {
      this.#opened = undefined;
      if (this.#hasOpened) throw error;
      return null;
    });
    return this.#opened;
  }

  /** Forgets the connection, so that the next use opens the database again. */
  #forget() {
    this.#opened?.then((database) => database?.close()).catch(() => {});
    this.#opened = undefined;
  }
}

async function transact(database, table, mode, action) {
  let timer;
  const kept = new Promise((resolve, reject) => {
    // A lost connection may not report an error at all.
    const lost = () => reject(new DOMException("The store does not answer.", "TimeoutError"));
    timer = setTimeout(lost, patience);
    const transaction = database.transaction(table, mode);
    const request = action(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new DOMException("The store was closed.", "AbortError"));
  });
  return kept.finally(() => clearTimeout(timer));
}
