import { useEffect, useState } from 'react';
import type { Dispatch, SetStateAction } from 'react';
import { readStored, writeStored } from './stored-value.ts';

const session = () => sessionStorage;

/**
 * State that survives reloads, sign-in and navigation while the tab is open. `read` parses a stored value; `undefined`
 * if invalid.
 */
export function useDraft<T>(
  key: string,
  initial: T,
  read: (stored: unknown) => T | undefined,
): [T, Dispatch<SetStateAction<T>>] {
  const stored = `cellfolio:draft:${key}`;
  const [value, setValue] = useState<T>(() => readJson(readStored(session, stored), read) ?? initial);
  useEffect(() => writeStored(session, stored, JSON.stringify(value)), [stored, value]);
  return [value, setValue];
}

function readJson<T>(text: string | null, read: (stored: unknown) => T | undefined): T | undefined {
  if (text === null) return undefined;
  try {
    return read(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function readTexts(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((text) => typeof text === 'string') ? value : undefined;
}

export function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
