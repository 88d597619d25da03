import type { FilterRequest, KeptAnalysis as Stored } from '@cellfolio/contract';
import {
  filterRequest,
  keptAnalysis,
  keptAnalysisList,
  maxKeptAnalyses,
  maxKeptCharacters,
} from '@cellfolio/contract';
import { useEffect, useRef, useState } from 'react';
import { type DocumentKind, useDocuments } from '@/features/documents/index.ts';
import { sameCells } from '@/features/subsets/index.ts';
import { canonicalJson } from '@/lib/canonical-json.ts';
import { plural } from '@/lib/format.ts';
import { useUserId } from '@/lib/services.ts';
import { readStored } from '@/lib/stored-value.ts';
import { useDraft } from '@/lib/use-draft.ts';
import type { AnalysisModule } from './analysis-module.ts';

/** The input of an analysis: enough to run it again, without its result. */
export interface KeptAnalysis {
  module: AnalysisModule;
  request: object;
  id: string;
  /** The user's, or the title with a number where there are several; default: the title. */
  name?: string;
  /** Milliseconds since the epoch. */
  ranAt: number;
  version: string;
  /** `null` for all cells. */
  subset: { id: string | null; name: string; filter: FilterRequest } | null;
  /** `null` if unknown. */
  cells: number | null;
}

const keptAnalysesOf = (filename: string): DocumentKind<KeptList, KeptList> => ({
  key: ['kept-analyses', filename],
  all: `/api/datasets/${encodeURIComponent(filename)}/kept-analyses`,
  one: '/api/kept-analyses',
  list: keptAnalysisList,
  saved: keptAnalysisList,
  left: keptAnalysisList,
  staleTime: Infinity,
});
type KeptList = { analyses: Stored[] };

/**
 * The analyses of a dataset, newest first: those of the account, and those of this tab that are not there, such as a
 * visitor's. `draftKey` is of user and dataset.
 */
export function useKeptAnalyses(draftKey: string, filename: string, modules: readonly AnalysisModule[]) {
  const isMember = useUserId() !== '';
  const { list, ...documents } = useDocuments(keptAnalysesOf(filename), { enabled: isMember });
  const [visit, setVisit] = useDraft<Stored[]>(`${draftKey}:analyses`, [], readList);
  const [failedIds, setFailedIds] = useState<ReadonlySet<string>>(new Set());
  const saved = list.data?.analyses ?? [];
  const change = (edit: (analyses: readonly Stored[]) => Stored[]) => {
    setVisit(edit);
    documents.edit(({ analyses }) => ({ analyses: edit(analyses) }));
  };
  const save = async (analysis: Stored): Promise<void> => {
    try {
      await documents.create(analysis);
      setVisit((before) => before.filter(({ id }) => id !== analysis.id));
    } catch (error) {
      console.warn('An analysis was not saved.', error);
      setFailedIds((ids) => new Set([...ids, analysis.id]));
      throw error;
    }
  };
  useBroughtAlong(draftKey, list.isSuccess, save);

  const ofTab = visit.filter(({ id }) => !saved.some((other) => other.id === id));
  const ofAccount = saved.filter((entry) => !ofTab.some((other) => isSame(other, entry)));
  const entriesOf = (analyses: readonly Stored[]) =>
    analyses.flatMap((stored) => readEntry(stored, modules) ?? []);
  return {
    analyses: entriesOf([...ofTab, ...ofAccount])
      .toSorted((a, b) => b.ranAt - a.ranAt)
      .slice(0, maxKeptAnalyses),
    /** Lost when the tab is closed. */
    unkept: entriesOf(ofTab.filter(({ id }) => failedIds.has(id))),
    /** Reading of those in the account. */
    list,
    place: isMember ? 'in your account' : 'until this tab is closed',
    keep: ({ module, ranAt, ...rest }: KeptAnalysis) => {
      const before = [...visit, ...saved];
      const request = rest.request as Stored['request'];
      const unnamed = { ...rest, request, analysis: module.id, ran_at: ranAt, name: null };
      const same = before.find((other) => isSame(other, unnamed));
      const analysis = { ...unnamed, name: same === undefined ? numberedName(module, before) : same.name };
      setVisit((now) =>
        [analysis, ...now.filter((other) => !isSame(other, analysis))].slice(0, maxKeptAnalyses),
      );
      if (!isMember) return;
      if (JSON.stringify(request).length > maxKeptCharacters)
        setFailedIds((ids) => new Set([...ids, rest.id]));
      else save(analysis).catch(() => {});
    },
    rename: (id: string, typed: string) => {
      const name = typed.trim() || null;
      change((analyses) => analyses.map((one) => (one.id === id ? { ...one, name } : one)));
      if (saved.some((one) => one.id === id)) void documents.change(id, { name });
    },
    remove: (id: string) => {
      change((analyses) => analyses.filter((one) => one.id !== id));
      if (saved.some((one) => one.id === id)) void documents.remove(id);
    },
  };
}

const local = () => localStorage;

/** Takes the analyses that this browser kept before accounts did into the account, once. */
function useBroughtAlong(draftKey: string, isReady: boolean, keep: (analysis: Stored) => Promise<unknown>) {
  const latest = useRef(keep);
  useEffect(() => {
    latest.current = keep;
  });
  useEffect(() => {
    const key = `cellfolio:analyses:${draftKey}`;
    const stored = isReady ? readStored(local, key) : null;
    if (stored === null) return;
    const bringAll = async () => {
      for (const analysis of earlierAnalyses(stored).toReversed()) {
        // One after the other, so that the newest is first.
        // oxlint-disable-next-line no-await-in-loop
        await latest.current(analysis);
      }
      localStorage.removeItem(key);
    };
    // After a failure they stay in the browser for the next visit.
    bringAll().catch(() => {});
  }, [draftKey, isReady]);
}

/** Reads what an earlier version of the page kept in the browser. */
export function earlierAnalyses(stored: string): Stored[] {
  try {
    const entries: unknown = JSON.parse(stored);
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry: unknown) => {
      const { kind, ranAt, ...rest } = Object(entry) as Record<string, unknown>;
      const { data } = keptAnalysis.safeParse({
        name: null,
        cells: null,
        ...rest,
        analysis: kind,
        ran_at: ranAt,
      });
      return data ?? [];
    });
  } catch {
    return [];
  }
}

function readList(value: unknown): Stored[] | undefined {
  return keptAnalysis.array().safeParse(value).data;
}

export function keptName({ name, module }: Pick<KeptAnalysis, 'name' | 'module'>): string {
  return name ?? module.title;
}

/** `Marker Analysis 2` where another one has the title; undefined for the first. */
function numberedName({ id, title }: AnalysisModule, analyses: readonly Stored[]): string | null {
  const others = analyses.filter(({ analysis }) => analysis === id);
  if (others.length === 0) return null;
  const names = new Set(others.map(({ name }) => name));
  let number = 2;
  while (names.has(`${title} ${number}`)) number++;
  return `${title} ${number}`;
}

/** Whether two ask the same question. */
function isSame(a: Stored, b: Stored): boolean {
  const question = ({ analysis, version, subset, request }: Stored) =>
    canonicalJson([analysis, version, subset && [subset.name, subset.filter], request]);
  return question(a) === question(b);
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

/** Undefined if the stored request cannot be run. */
export function readEntry(stored: Stored, modules: readonly AnalysisModule[]): KeptAnalysis | undefined {
  const { analysis, ran_at: ranAt, request, name, subset, ...rest } = stored;
  const module = modules.find(({ id }) => id === analysis);
  if (!module?.request.safeParse(request).success) return undefined;
  if (subset !== null && !filterRequest.safeParse(subset.filter).success) return undefined;
  return {
    ...rest,
    ...(name !== null && { name }),
    subset: subset as KeptAnalysis['subset'],
    ranAt,
    module,
    request,
  };
}
