import { useState } from 'react';
import type { KeptAnalysis } from './kept-analyses.ts';
import { forgetAnalysis, isSame, keepAnalysis, mostKept, readKept } from './kept-analyses.ts';

/**
 * The analyses of a user and dataset, kept in this browser. Where storage is full or blocked, those of this visit are
 * listed until the page goes.
 */
export function useKeptAnalyses(owner: string) {
  const [{ stored, visit }, setAnalyses] = useState(() => ({
    stored: readKept(owner),
    /** Of this visit, newest first. */
    visit: [] as readonly KeptAnalysis[],
  }));
  const unkept = visit.filter((analysis) => !stored.some((entry) => isSame(entry, analysis)));
  const change = (storedNow: KeptAnalysis[], edit: (visit: readonly KeptAnalysis[]) => KeptAnalysis[]) =>
    setAnalyses((current) => ({ stored: storedNow, visit: edit(current.visit) }));
  return {
    analyses: [...unkept, ...stored].toSorted((a, b) => b.ranAt - a.ranAt).slice(0, mostKept),
    unkept,
    keep: (analysis: KeptAnalysis) =>
      change(keepAnalysis(owner, analysis), (before) =>
        [analysis, ...before.filter((other) => !isSame(other, analysis))].slice(0, mostKept),
      ),
    remove: (id: string) =>
      change(forgetAnalysis(owner, id), (before) => before.filter((entry) => entry.id !== id)),
  };
}
