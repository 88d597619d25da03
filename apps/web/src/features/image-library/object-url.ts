import { useEffect, useState } from 'react';

interface Held {
  url: string;
  holders: number;
}

/** Milliseconds that an address outlives its last holder: a card that moves between two places keeps its picture. */
const grace = 1000;
const held = new Map<Blob, Held>();

/** An address for a file, the same for all who show it, revoked when nobody does any more. */
export function useObjectUrl(file: Blob | null): string | null {
  const [shown, setShown] = useState<{ file: Blob; url: string } | null>(() => known(file));
  useEffect(() => {
    if (file === null) return;
    setShown({ file, url: hold(file) });
    return () => release(file);
  }, [file]);
  if (file === null) return null;
  return shown?.file === file ? shown.url : (known(file)?.url ?? null);
}

/** How many files have an address now. */
export function heldAddresses(): number {
  return held.size;
}

function known(file: Blob | null): { file: Blob; url: string } | null {
  const entry = file === null ? undefined : held.get(file);
  return file === null || entry === undefined ? null : { file, url: entry.url };
}

function hold(file: Blob): string {
  const entry = held.get(file) ?? { url: URL.createObjectURL(file), holders: 0 };
  entry.holders++;
  held.set(file, entry);
  return entry.url;
}

function release(file: Blob): void {
  const entry = held.get(file);
  if (entry === undefined) return;
  entry.holders--;
  setTimeout(() => {
    if (entry.holders > 0 || held.get(file) !== entry) return;
    held.delete(file);
    URL.revokeObjectURL(entry.url);
  }, grace);
}
