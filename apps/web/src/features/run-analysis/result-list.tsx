import { ChartScatter, Table2, X } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { imageAge } from '@/features/image-library/image-age.ts';
import { useNow } from '@/lib/use-now.ts';
import { resultSummary, resultTitle } from './analysis-result.ts';
import type { AnalysisRuns } from './use-analysis-runs.ts';

/** The results of this visit, newest first; a click opens one. */
export function ResultList({ runs }: { runs: AnalysisRuns }) {
  const now = useNow(60_000);
  if (runs.results.length === 0) return null;
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted text-xs font-medium">Results of this visit</h3>
      <ul className="flex max-h-48 flex-col gap-1 overflow-y-auto p-0.5">
        {runs.results.map((result) => {
          const Icon = result.kind === 'marker' ? ChartScatter : Table2;
          return (
            <li key={result.id} className="flex items-center gap-1 rounded-md border pr-1">
              <button
                type="button"
                aria-label={`View results: ${resultTitle(result)}, ${resultSummary(result)}`}
                onClick={() => runs.show(result.id)}
                className="hover:bg-surface-2 flex min-w-0 flex-1 items-center gap-2 rounded-md px-2 py-1.5 text-left"
              >
                <Icon aria-hidden className="text-accent size-4 shrink-0" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-[13px] font-medium">{resultTitle(result)}</span>
                  <span className="text-muted block truncate text-xs" title={resultSummary(result)}>
                    {imageAge(result.createdAt, now)} · {resultSummary(result)}
                  </span>
                </span>
              </button>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Remove ${resultTitle(result)}, ${resultSummary(result)}`}
                onClick={() => runs.remove(result.id)}
              >
                <X aria-hidden />
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
