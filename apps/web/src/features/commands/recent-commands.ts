import { readStored, writeStored } from '@/lib/stored-value.ts';

const key = 'cellfolio:recent-commands';
const local = () => localStorage;
const maxRecent = 20;

/** Ids of commands run in this browser, newest first. */
export function readRecentCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(readStored(local, key) ?? '[]');
    return Array.isArray(stored)
      ? stored.filter((id): id is string => typeof id === 'string').slice(0, maxRecent)
      : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const others = readRecentCommands().filter((other) => other !== id);
  writeStored(local, key, JSON.stringify([id, ...others].slice(0, maxRecent)));
}
