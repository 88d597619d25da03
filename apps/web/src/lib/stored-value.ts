/** Reads a key of web storage; `null` if it is absent or storage is blocked. */
export function readStored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Writes a key of web storage; ignores full or blocked storage. */
export function writeStored(storage: () => Storage, key: string, value: string): void {
  try {
    storage().setItem(key, value);
  } catch (cause) {
    console.warn(`Could not remember ${key}.`, cause);
  }
}
