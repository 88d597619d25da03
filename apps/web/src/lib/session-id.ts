import { readStored, writeStored } from './stored-value.ts';

const key = 'cellfolio:session-id';
const session = () => sessionStorage;

let current: Promise<string> | undefined;

/**
 * Id of this browser tab, sent as `X-Session-Id`: the server keeps one active dataset for each. A duplicated tab starts
 * with a copy of the first one's storage; a lock held while the page lives detects this, and the second tab takes a new
 * id.
 */
export function sessionId(): Promise<string> {
  current ??= claim(readStored(session, key) ?? randomId()).then((id) => {
    writeStored(session, key, id);
    return id;
  });
  return current;
}

async function claim(id: string): Promise<string> {
  // Locks need a secure context; without them a duplicated tab shares its first one's dataset.
  if (!('locks' in navigator)) return id;
  return new Promise((resolve) => {
    navigator.locks
      .request(`${key}:${id}`, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          const fresh = randomId();
          void navigator.locks.request(`${key}:${fresh}`, () => new Promise(() => {}));
          resolve(fresh);
          return undefined;
        }
        resolve(id);
        return new Promise(() => {});
      })
      .catch(() => resolve(id));
  });
}

/** 128 random bits in hexadecimal. Works on plain http too, where `crypto.randomUUID` does not exist. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
