import type { FilterRequest } from '@cellfolio/contract';
import { filterRequest } from '@cellfolio/contract';
import { useMemo, useState } from 'react';
import { sameCells } from '@/features/subsets/index.ts';
import { plural } from '@/lib/format.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import type { AnalysisModule } from './analysis-module.ts';

/** The input of an analysis: enough to run it again, without its result. */
export interface KeptAnalysis {
  module: AnalysisModule;
  request: object;
  id: string;
  /** The user's name; default: its title. */
  name?: string;
  /** Milliseconds since the epoch. */
  ranAt: number;
  version: string;
  /** `null` for all cells. */
  subset: { id: string | null; name: string; filter: FilterRequest } | null;
  /** `null` if unknown. */
  cells: number | null;
}

export const maxKept = 20;
/** Maximum characters stored: gene lists can be long, and a browser has about five million for the whole site. */
const maxCharacters = 300_000;
const local = () => localStorage;

/**
 * The analyses of a user and dataset in this browser, newest first. Storage is read before each change, because another
 * tab may have written to it, and after, because it may be full or blocked.
 */
export function keptAnalyses(owner: string, modules: readonly AnalysisModule[]) {
  const key = `cellfolio:analyses:${owner}`;
  const read = (): KeptAnalysis[] => {
    try {
      const stored: unknown = JSON.parse(readStored(local, key) ?? '[]');
      const entries = Array.isArray(stored) ? stored.flatMap((value) => readEntry(value, modules)) : [];
      return entries.slice(0, maxKept);
    } catch {
      return [];
    }
  };
  const write = (entries: readonly KeptAnalysis[]): KeptAnalysis[] => {
    const texts: string[] = [];
    let left = maxCharacters;
    for (const { module, ...entry } of entries.slice(0, maxKept)) {
      const text = JSON.stringify({ ...entry, kind: module.id });
      // One with a long list of genes does not take those after it along.
      if (text.length > left) continue;
      left -= text.length;
      texts.push(text);
    }
    writeStored(local, key, `[${texts.join(',')}]`);
    return read();
  };
  return {
    read,
    /** Puts an analysis first, replacing an equal one and keeping its name. @returns the stored analyses */
    keep: (entry: KeptAnalysis) => write(placedFirst(entry, read())),
    /** @returns the stored analyses */
    rename: (id: string, name: string) => write(read().map((entry) => renamed(entry, id, name))),
    forget: (id: string) => write(read().filter((entry) => entry.id !== id)),
  };
}

/**
 * The stored analyses as state; when storage is full or blocked, those of this visit are listed until the page is
 * closed.
 */
export function useKeptAnalyses(owner: string, modules: readonly AnalysisModule[]) {
  const store = useMemo(() => keptAnalyses(owner, modules), [owner, modules]);
  const [{ stored, visit }, setAnalyses] = useState(() => ({
    stored: store.read(),
    visit: [] as readonly KeptAnalysis[],
  }));
  const unkept = visit.filter((analysis) => !stored.some((entry) => isSame(entry, analysis)));
  const change = (storedNow: KeptAnalysis[], edit: (visit: readonly KeptAnalysis[]) => KeptAnalysis[]) =>
    setAnalyses((current) => ({ stored: storedNow, visit: edit(current.visit) }));
  return {
    analyses: [...unkept, ...stored].toSorted((a, b) => b.ranAt - a.ranAt).slice(0, maxKept),
    unkept,
    keep: (analysis: KeptAnalysis) =>
      change(store.keep(analysis), (before) => placedFirst(analysis, before).slice(0, maxKept)),
    rename: (id: string, name: string) =>
      change(store.rename(id, name), (before) => before.map((entry) => renamed(entry, id, name))),
    remove: (id: string) => change(store.forget(id), (before) => before.filter((entry) => entry.id !== id)),
  };
}

function placedFirst(entry: KeptAnalysis, before: readonly KeptAnalysis[]): KeptAnalysis[] {
  const name = entry.name ?? before.find((other) => isSame(other, entry))?.name;
  return [
    { ...entry, ...(name !== undefined && { name }) },
    ...before.filter((other) => !isSame(other, entry)),
  ];
}

export const maxNameLength = 100;

/** An empty name restores the title. */
function renamed(entry: KeptAnalysis, id: string, newName: string): KeptAnalysis {
  if (entry.id !== id) return entry;
  const { name: _, ...rest } = entry;
  const name = newName.trim().slice(0, maxNameLength);
  return name === '' ? rest : { ...rest, name };
}

export function keptName({ name, module }: Pick<KeptAnalysis, 'name' | 'module'>): string {
  return name ?? module.title;
}

function isSame(a: KeptAnalysis, b: KeptAnalysis): boolean {
  return (
    a.module === b.module &&
    a.version === b.version &&
    a.subset?.name === b.subset?.name &&
    sameCells(a.subset?.filter, b.subset?.filter) &&
    JSON.stringify(a.request) === JSON.stringify(b.request)
  );
}

export function keptSummary({ module, request, subset, cells }: KeptAnalysis): string {
  const count = cells === null ? 'cells' : plural(cells, 'cell');
  const of = subset === null ? `all ${count}` : `${subset.name}${cells === null ? '' : ` (${count})`}`;
  return module.requestLine(request, of);
}

interface Present {
  version: string;
  /** `undefined` while unknown. */
  subsets: readonly { id: string | null; filter: FilterRequest }[] | undefined;
}

/** Changes since an analysis was run, one sentence each. */
export function changesSince({ version, subset }: KeptAnalysis, present: Present): string[] {
  const changes: string[] = [];
  if (version !== present.version) {
    changes.push(
      'The dataset has been replaced since this was run: results are computed on the current data.',
    );
  }
  if (subset !== null && subset.id !== null && present.subsets !== undefined) {
    const now = present.subsets.find(({ id }) => id === subset.id);
    const before = 'results are computed with its previous filter.';
    if (now === undefined) changes.push(`The subset “${subset.name}” has been deleted: ${before}`);
    else if (!sameCells(now.filter, subset.filter)) {
      changes.push(`The subset “${subset.name}” has a new filter: ${before}`);
    }
  }
  return changes;
}

/** Reads a stored entry, which is untrusted; `undefined` if it cannot be run. */
function readEntry(value: unknown, modules: readonly AnalysisModule[]): KeptAnalysis[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, name, ranAt, version, subset, cells, kind, request } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof ranAt !== 'number' || typeof version !== 'string') return [];
  const group = readGroup(subset);
  if (group === undefined) return [];
  const origin = { id, ranAt, version, subset: group, cells: typeof cells === 'number' ? cells : null };
  const module = modules.find((other) => other.id === kind);
  if (!module?.request.safeParse(request).success) return [];
  const named = typeof name === 'string' ? { name: name.slice(0, maxNameLength) } : {};
  return [{ ...origin, ...named, module, request: request as object }];
}

function readGroup(value: unknown): KeptAnalysis['subset'] | undefined {
  if (value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { id, name, filter } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !filterRequest.safeParse(filter).success) return undefined;
  return { id: typeof id === 'string' ? id : null, name, filter: filter as FilterRequest };
}
