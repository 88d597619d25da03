import { useEffect, useRef } from 'react';
import type { AnalysisResult } from './analysis-module.ts';

/** Limits of results held while the page is open, and of their table rows: a million rows takes about 160 megabytes. */
const maxResults = 10;
const maxRows = 5_000_000;

/** The newest results within the limits, and those that the active tab needs. */
export function newest(
  results: readonly AnalysisResult[],
  needed: readonly { id: string }[],
): AnalysisResult[] {
  let rows = 0;
  return results.filter(({ id, table }, place) => {
    rows += table.rowCount;
    return place === 0 || needed.some((one) => one.id === id) || (place < maxResults && rows <= maxRows);
  });
}

/** Frees the tables of discarded results. */
export function useClosedTables(results: readonly AnalysisResult[]): void {
  const before = useRef(results);
  useEffect(() => {
    for (const result of before.current) if (!results.includes(result)) result.table.close();
    before.current = results;
  }, [results]);
  useEffect(
    () => () => {
      for (const { table } of before.current) table.close();
    },
    [],
  );
}
