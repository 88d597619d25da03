import { ChevronDown, GitCompareArrows } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu.tsx';
import { isOfDifferences } from './analysis-module.ts';
import { type KeptAnalysis, keptName, keptSummary } from './kept-analyses.ts';
import type { AnalysisRuns } from './use-analysis-runs.ts';

interface CompareProps {
  runs: AnalysisRuns;
  analysis: KeptAnalysis;
}

/** Opens a result together with another one of the same dataset. */
export function CompareWithButton(props: CompareProps) {
  if (!isOfDifferences(props.analysis.module)) return null;
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" size="sm">
          <GitCompareArrows aria-hidden />
          Compare with…
          <ChevronDown aria-hidden className="size-3.5!" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end" className="max-w-80">
        <CompareItems {...props} />
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

export function CompareItems({ runs, analysis }: CompareProps) {
  const others = comparableWith(runs, analysis);
  if (others.length === 0)
    return (
      <DropdownMenuLabel>
        There is no other result with fold changes of genes yet. Run a second analysis.
      </DropdownMenuLabel>
    );
  return (
    <>
      <DropdownMenuLabel>Compare with…</DropdownMenuLabel>
      {others.map((other) => (
        <DropdownMenuItem
          key={other.id}
          disabled={runs.running !== null}
          onSelect={() => runs.compare([analysis.id, other.id])}
        >
          <span className="min-w-0">
            <span className="block truncate">{keptName(other)}</span>
            <span className="text-muted line-clamp-2 text-xs">{keptSummary(other)}</span>
          </span>
        </DropdownMenuItem>
      ))}
    </>
  );
}

/** The other results with fold changes of genes; none for a result without. */
export function comparableWith(
  { analyses }: Pick<AnalysisRuns, 'analyses'>,
  analysis: KeptAnalysis,
): readonly KeptAnalysis[] {
  if (!isOfDifferences(analysis.module)) return [];
  return analyses.filter(({ id, module }) => id !== analysis.id && isOfDifferences(module));
}
