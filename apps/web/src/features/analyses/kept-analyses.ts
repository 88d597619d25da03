import type { FilterRequest } from '@cellfolio/contract';
import { filterRequest } from '@cellfolio/contract';
import { sameCells } from '@/features/subsets/index.ts';
import { counted } from '@/lib/counted.ts';
import { readStored, writeStored } from '@/lib/stored-value.ts';
import type { AnalysisKind, RequestOf } from './analyses.ts';
import { isAnalysisKind, moduleOf } from './analyses.ts';

/** What an analysis was run with: enough to run it again, without its result. */
export type KeptAnalysis = {
  id: string;
  /** Milliseconds since the epoch. */
  ranAt: number;
  /** Of the dataset. */
  version: string;
  /** `null` for all cells. */
  subset: { id: string | null; name: string; filter: FilterRequest } | null;
  /** `null` where it is not known. */
  cells: number | null;
} & { [Kind in AnalysisKind]: { kind: Kind; request: RequestOf<Kind> } }[AnalysisKind];

/** Analyses kept of one user and dataset, in this browser. */
export const mostKept = 20;
/** Characters of them: lists of genes can be long, and a browser has about five million for the whole site. */
const mostCharacters = 300_000;
const local = () => localStorage;
const keyOf = (owner: string) => `cellfolio:analyses:${owner}`;

/** The analyses of a user and dataset, newest first; entries that are not ours are passed over. */
export function readKept(owner: string): KeptAnalysis[] {
  try {
    const stored: unknown = JSON.parse(readStored(local, keyOf(owner)) ?? '[]');
    return Array.isArray(stored) ? stored.flatMap(readEntry).slice(0, mostKept) : [];
  } catch {
    return [];
  }
}

/** Puts an analysis first, in the place of one with the same words. Another tab may have written meanwhile. */
export function keepAnalysis(owner: string, entry: KeptAnalysis): KeptAnalysis[] {
  const others = readKept(owner).filter((other) => !isSame(other, entry));
  return write(owner, [entry, ...others]);
}

export function forgetAnalysis(owner: string, id: string): KeptAnalysis[] {
  return write(
    owner,
    readKept(owner).filter((entry) => entry.id !== id),
  );
}

/** @returns what storage holds afterwards, which may be full or blocked */
function write(owner: string, entries: readonly KeptAnalysis[]): KeptAnalysis[] {
  const kept: KeptAnalysis[] = [];
  let left = mostCharacters;
  for (const entry of entries.slice(0, mostKept)) {
    left -= JSON.stringify(entry).length;
    if (left < 0) break;
    kept.push(entry);
  }
  writeStored(local, keyOf(owner), JSON.stringify(kept));
  return readKept(owner);
}

/** Whether two analyses are the same question: its result is the same, too. */
export function isSame(a: KeptAnalysis, b: KeptAnalysis): boolean {
  return (
    a.kind === b.kind &&
    a.version === b.version &&
    a.subset?.name === b.subset?.name &&
    sameCells(a.subset?.filter, b.subset?.filter) &&
    JSON.stringify(a.request) === JSON.stringify(b.request)
  );
}

/** What was asked, in one line. */
export function keptSummary({ subset, cells, ...entry }: KeptAnalysis): string {
  const count = cells === null ? 'cells' : counted(cells, 'cell');
  const of = subset === null ? `all ${count}` : `${subset.name}${cells === null ? '' : ` (${count})`}`;
  return moduleOf(entry.kind).asked(entry.request, of);
}

interface Present {
  version: string;
  /** `undefined` while they are not known. */
  subsets: readonly { id: string | null; filter: FilterRequest }[] | undefined;
}

/** What is no longer as it was when an analysis was run, a sentence each. */
export function changesSince({ version, subset }: KeptAnalysis, present: Present): string[] {
  const changes: string[] = [];
  if (version !== present.version) {
    changes.push(
      'The dataset has been replaced since this was run: it is computed on the data as they are now.',
    );
  }
  if (subset !== null && subset.id !== null && present.subsets !== undefined) {
    const now = present.subsets.find(({ id }) => id === subset.id);
    const before = 'it is computed on the cells of the filter as it was.';
    if (now === undefined) changes.push(`The subset “${subset.name}” is not saved any more: ${before}`);
    else if (!sameCells(now.filter, subset.filter)) {
      changes.push(`The subset “${subset.name}” has another filter now: ${before}`);
    }
  }
  return changes;
}

/** An entry as whoever can write to web storage may have left it; none where it cannot be run. */
function readEntry(value: unknown): KeptAnalysis[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, ranAt, version, subset, cells, kind, request } = value as Record<string, unknown>;
  if (typeof id !== 'string' || typeof ranAt !== 'number' || typeof version !== 'string') return [];
  const group = readGroup(subset);
  if (group === undefined) return [];
  const origin = { id, ranAt, version, subset: group, cells: typeof cells === 'number' ? cells : null };
  if (!isAnalysisKind(kind) || !moduleOf(kind).request.safeParse(request).success) return [];
  return [{ ...origin, kind, request } as KeptAnalysis];
}

function readGroup(value: unknown): KeptAnalysis['subset'] | undefined {
  if (value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { id, name, filter } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !filterRequest.safeParse(filter).success) return undefined;
  return { id: typeof id === 'string' ? id : null, name, filter: filter as FilterRequest };
}
