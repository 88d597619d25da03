import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { type HeldTable, textsOf } from '@/features/tables/index.ts';
import { readResult } from './analysis-module.ts';
import { keptName, keptSummary } from './kept-analyses.ts';
import { JoinedView } from './joined-view.tsx';
import { ThresholdFields } from './result-limits.tsx';
import type { JoinedSides, JoinedTables } from './results-in-memory.ts';
import type { ShownAnalysis } from './use-analysis-runs.ts';

interface ComparedViewProps {
  /** Id of the tab. */
  tab: string;
  joinedTables: JoinedTables;
  compared: readonly [ShownAnalysis, ShownAnalysis];
  genesPerCall: number;
  onSendGenes: (genes: readonly string[]) => void;
}

const defaultThresholds = { adjustedP: 0.05, foldChange: 0.25 };

export function ComparedView({ tab, joinedTables, compared, ...rest }: ComparedViewProps) {
  const [first, second] = compared;
  const [groups, setGroups] = useState(() => firstGroups(compared));
  const [thresholds, setThresholds] = useState(() => {
    const directions = readResult(first.result).directions ?? readResult(second.result).directions;
    return directions
      ? { adjustedP: directions.adjustedP, foldChange: directions.foldChange }
      : defaultThresholds;
  });
  const [one, other] = [first.result.table.id, second.result.table.id];
  const sides = useMemo(
    (): JoinedSides => [
      { table: one, group: groups[0], ...thresholds },
      { table: other, group: groups[1], ...thresholds },
    ],
    [one, other, groups, thresholds],
  );
  const { joined, error } = useJoinedTable(tab, joinedTables, sides);
  const titles = compared.map(({ analysis }, side) => sideTitle(analysis, groups[side])) as [string, string];
  return (
    <>
      <div className="shrink-0">
        <h2 className="text-[15px] leading-6 font-semibold">Compare Results</h2>
        <p className="text-muted text-xs">Two results of this dataset, gene by gene.</p>
      </div>
      <div className="grid shrink-0 gap-2 @min-[40rem]/dock:grid-cols-2">
        {compared.map((one, side) => (
          <SideCard
            key={one.result.id}
            number={side + 1}
            compared={one}
            group={groups[side]}
            onGroup={(group) => setGroups(side === 0 ? [group, groups[1]] : [groups[0], group])}
          />
        ))}
      </div>
      {error !== null && (
        <Alert variant="danger" role="alert">
          The results could not be compared. {error.message}
        </Alert>
      )}
      {joined === undefined ? (
        error === null && (
          <p role="status" className="text-muted flex items-center gap-2 p-4 text-[13px]">
            <Spinner /> Comparing the results...
          </p>
        )
      ) : (
        <JoinedView
          // Other groups have other rows, of which none is selected.
          key={JSON.stringify(groups)}
          joined={joined}
          titles={titles}
          summaries={compared.map(({ analysis }) => keptSummary(analysis))}
          dataset={{ filename: first.result.datasetName, version: first.result.version }}
          thresholdText={`adjusted p < ${thresholds.adjustedP}, |log2 fold change| ≥ ${thresholds.foldChange}`}
          thresholdFields={
            <ThresholdFields
              thresholds={thresholds}
              onChange={(change) => setThresholds((current) => ({ ...current, ...change }))}
            />
          }
          {...rest}
        />
      )}
    </>
  );
}

/** Joins the sides of a tab, whose table stays in memory while the tab is hidden. */
function useJoinedTable(tab: string, tables: JoinedTables, sides: JoinedSides) {
  const [error, setError] = useState<Error | null>(null);
  const join = useEffectEvent(tables.join);
  useEffect(() => {
    join(tab, sides).then(
      () => setError(null),
      (cause: unknown) => setError(cause as Error),
    );
  }, [tab, sides]);
  return { joined: tables.of(tab, sides), error };
}

function sideTitle(analysis: ShownAnalysis['analysis'], group: string | undefined): string {
  return group === undefined ? keptName(analysis) : `${keptName(analysis)}, ${group}`;
}

/** The default groups: the first of the first side, and the same of the second side if it has it. */
function firstGroups(
  compared: readonly [ShownAnalysis, ShownAnalysis],
): [string | undefined, string | undefined] {
  const [of, others] = compared.map(({ result }) => groupsOf(result.table));
  const first = of?.[0];
  return [first, first !== undefined && others?.includes(first) ? first : others?.[0]];
}

function groupsOf(table: HeldTable): readonly string[] {
  return textsOf(table.columns, 'group')?.categories ?? [];
}

interface SideCardProps {
  number: number;
  compared: ShownAnalysis;
  group: string | undefined;
  onGroup: (group: string) => void;
}

function SideCard({ number, compared: { result, analysis }, group, onGroup }: SideCardProps) {
  const groups = groupsOf(result.table);
  return (
    <div className="bg-surface-2 flex items-center gap-3 rounded-md px-3 py-1.5 text-[13px]">
      <p className="min-w-0 flex-1">
        <span className="block truncate font-medium">{`${number}: ${keptName(analysis)}`}</span>
        <span className="text-muted line-clamp-3 text-xs" title={keptSummary(analysis)}>
          {keptSummary(analysis)}
        </span>
      </p>
      {group !== undefined && (
        <Select value={`=${group}`} onValueChange={(value) => onGroup(value.slice(1))}>
          <SelectTrigger data-size="sm" className="w-48" aria-label={`Group of result ${number}`}>
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {groups.map((name) => (
              <SelectItem key={name} value={`=${name}`}>
                {name === '' ? '(no name)' : name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </div>
  );
}
