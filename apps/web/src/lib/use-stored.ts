import { useState } from 'react';
import { readStored, writeStored } from './stored-value.ts';

const local = () => localStorage;

/** A choice that this browser remembers, as `read` understands its stored text; `null` if there is no text. */
export function useStored<T>(
  key: string,
  read: (stored: string | null) => T,
): [value: T, store: (text: string) => void] {
  const [stored, setStored] = useState(() => readStored(local, key));
  const store = (text: string) => {
    setStored(text);
    writeStored(local, key, text);
  };
  return [read(stored), store];
}
