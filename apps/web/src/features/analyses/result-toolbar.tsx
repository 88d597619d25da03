import { Eye, FlaskConical, Search } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { SaveGenes } from '@/features/gene-lists/index.ts';
import { counted, formatCount } from '@/lib/format.ts';
import type { AnalysisResult } from './analysis-module.ts';
import { readResult } from './analysis-module.ts';
import { ResultLimits } from './result-limits.tsx';
import { groupWords } from './result-rows.ts';
import type { TableView } from './result-rows.ts';
import type { ResultTable } from './result-table.ts';
import { genesOf, groupLabel, isOfGenes } from './result-table.ts';

interface ResultToolbarProps {
  result: AnalysisResult;
  table: ResultTable;
  view: TableView;
  genesPerCall: number;
  /** Other rows are shown than before. */
  onNarrow: () => void;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
}

/** Name of a gene list of the rows of a group, or of all of them. */
function listName(result: AnalysisResult, table: ResultTable, group: string): string {
  const of =
    group === ''
      ? result.module.title.replace(/ Analysis$/, '')
      : groupWords(result, groupLabel(table, group));
  return group === '' ? `${of} genes` : `${of} markers`;
}

/** The genes of each group among the rows, in their order; none where the rows have no groups. */
function genesByGroup(result: AnalysisResult, table: ResultTable, rows: readonly number[]) {
  const column = table.columns.find(({ name }) => name === 'group');
  if (column === undefined) return [];
  const byGroup = new Map<string, number[]>();
  for (const row of rows) {
    const group = column.texts[row] ?? '';
    const known = byGroup.get(group);
    if (known === undefined) byGroup.set(group, [row]);
    else known.push(row);
  }
  return Array.from(byGroup, ([group, ofGroup]) => ({
    name: listName(result, table, group),
    genes: genesOf(table, ofGroup),
  }));
}

/** A select has no empty value. */
const allGroups = ' all';

/** Search and group of a table, how many rows are left, and where their genes can go. */
export function ResultToolbar({
  result,
  table,
  view,
  genesPerCall,
  onNarrow,
  onSendGenes,
  onEnrich,
}: ResultToolbarProps) {
  const { shown, search, setSearch, group, setGroup } = view;
  const { rows } = shown;
  const read = readResult(result);
  const groups = read.groups.filter(({ markers }) => markers > 0);
  const genes = useMemo(() => genesOf(table, rows), [table, rows]);
  const plotted = genes.slice(0, genesPerCall);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="relative w-56">
        <Search aria-hidden className="text-muted absolute top-2 left-2.5 size-4" />
        <Input
          type="search"
          aria-label="Search the table"
          placeholder={result.module.searchPlaceholder}
          className="h-8 pl-8 text-[13px]"
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            onNarrow();
          }}
        />
      </div>
      {groups.length > 1 && (
        <Select
          value={group === '' ? allGroups : `=${group}`}
          onValueChange={(value) => {
            setGroup(value === allGroups ? '' : value.slice(1));
            onNarrow();
          }}
        >
          <SelectTrigger data-size="sm" className="w-48" aria-label="Group">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            <SelectItem value={allGroups}>All groups</SelectItem>
            {groups.map(({ name, markers }) => (
              <SelectItem key={name} value={`=${name}`}>
                {groupLabel(table, name) || '(no name)'} ({formatCount(markers)})
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
      {read.directions && (
        <ResultLimits
          directions={read.directions}
          limits={view.limits}
          onChange={(limits) => {
            view.setLimits(limits);
            onNarrow();
          }}
        />
      )}
      <p role="status" className="text-muted flex-1 text-xs tabular-nums">
        {rows.length === table.rowCount
          ? counted(rows.length, 'row')
          : `${formatCount(rows.length)} of ${counted(table.rowCount, 'row')}`}
      </p>
      {isOfGenes(table) && (
        <>
          <Button
            variant="secondary"
            size="sm"
            disabled={plotted.length === 0}
            title={
              genes.length > plotted.length
                ? `The first ${genesPerCall} of ${formatCount(genes.length)} genes: as many as one call plots.`
                : undefined
            }
            onClick={() => onSendGenes(plotted)}
          >
            <Eye aria-hidden />
            {`Visualize ${genes.length > plotted.length ? 'First ' : ''}${counted(plotted.length, 'Gene')}`}
          </Button>
          <Button variant="secondary" size="sm" disabled={genes.length === 0} onClick={() => onEnrich(genes)}>
            <FlaskConical aria-hidden />
            {`Enrich ${counted(genes.length, 'Gene')}`}
          </Button>
          <SaveGenes
            key={group}
            genes={genes}
            suggestion={listName(result, table, group)}
            groups={group === '' ? genesByGroup(result, table, rows) : []}
            disabled={genes.length === 0}
          />
        </>
      )}
    </div>
  );
}
