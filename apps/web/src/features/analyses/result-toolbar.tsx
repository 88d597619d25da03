import { Eye, FlaskConical, Search, Copy } from 'lucide-react';
import { useMemo } from 'react';
import { manyChoices, SearchedChoice } from '@/components/searched-choice.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { SaveGenes } from '@/features/gene-lists/index.ts';
import { useViewerSize } from '@/features/images/index.ts';
import { groupsIn, type HeldTable } from '@/features/tables/index.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { toast } from '@/components/ui/toast.ts';
import { copyText } from '@/lib/copy-text.ts';
import { type AnalysisResult, readResult } from './analysis-module.ts';
import { ResultLimits } from './result-limits.tsx';
import { groupWords } from './result-rows.ts';
import { genesByGroup, genesOf, hasGenes, isOfGenes } from './result-table.ts';
import type { TableView } from './use-table-view.ts';

interface ResultToolbarProps {
  result: AnalysisResult;
  view: TableView;
  genesPerCall: number;
  labelOf: (group: string) => string;
  onSendGenes: (genes: readonly string[]) => void;
  onEnrich: (genes: readonly string[]) => void;
}

export function listName(result: AnalysisResult, group: string): string {
  const of = group === '' ? result.module.title.replace(/ Analysis$/, '') : groupWords(result, group);
  return group === '' ? `${of} genes` : `${of} ${result.module.groupGenes ?? 'markers'}`;
}

/** Value for all groups, since a select has no empty value. */
const allGroups = ' all';

function listsOfGroups(result: AnalysisResult, rows: Int32Array, labelOf: (group: string) => string) {
  const groupNames = new Set(readResult(result).groups.map(({ name }) => name));
  return Array.from(genesByGroup(result.table, rows))
    .filter(([group]) => groupNames.has(group))
    .map(([group, genes]) => ({ name: listName(result, labelOf(group)), genes }));
}

export function ResultToolbar(props: ResultToolbarProps) {
  const { result, view, genesPerCall, labelOf, onSendGenes, onEnrich } = props;
  const { table } = result;
  const { shown, search, setSearch, group, setGroup } = view;
  const { rows } = shown;
  const read = readResult(result);
  const here = groupsIn(table);
  const groups = read.groups.filter(({ name, markers }) => markers > 0 && here?.has(name) !== false);
  // For sets, the genes of their overlaps; otherwise the names are looked up when they are used.
  const areGenes = hasGenes(table);
  const ofSets = useMemo(() => (areGenes ? [] : genesOf(table, rows)), [areGenes, table, rows]);
  const count = areGenes ? shown.geneRows.length : ofSets.length;
  const firstGenes = (limit = count) =>
    areGenes ? genesOf(table, shown.geneRows.subarray(0, limit)) : ofSets.slice(0, limit);
  const plotted = Math.min(count, genesPerCall, useViewerSize());
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="relative min-w-32 flex-1 @min-[40rem]/dock:max-w-56">
        <Search aria-hidden className="text-muted absolute top-2 left-2.5 size-4" />
        <Input
          type="search"
          aria-label="Search the table"
          placeholder={result.module.searchPlaceholder}
          className="h-8 pl-8 text-[13px]"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {groups.length > 1 && <GroupChoice {...{ groups, group, setGroup, labelOf }} />}
      {read.directions && (
        <ResultLimits directions={read.directions} limits={view.limits} onChange={view.setLimits} />
      )}
      <p role="status" className="text-muted text-xs whitespace-nowrap tabular-nums @min-[40rem]/dock:flex-1">
        {rows.length === table.rowCount
          ? plural(rows.length, 'row')
          : `${formatCount(rows.length)} of ${plural(table.rowCount, 'row')}`}
      </p>
      <div className="low-dock:flex-nowrap low-dock:overflow-x-auto flex max-w-full flex-wrap items-center gap-2">
        <CopyRows table={table} rows={rows} />
        {isOfGenes(table) && (
          <>
            <Button
              variant="secondary"
              size="xs"
              disabled={plotted === 0}
              title={
                count > plotted ? `The viewer shows ${plotted} maps. Select rows to choose genes.` : undefined
              }
              onClick={() => onSendGenes(firstGenes(plotted))}
            >
              <Eye aria-hidden />
              {`Visualize ${count > plotted ? `First ${plotted} of ` : ''}${plural(count, 'Gene')}`}
            </Button>
            <Button
              variant="secondary"
              size="xs"
              disabled={count === 0}
              onClick={() => onEnrich(firstGenes())}
            >
              <FlaskConical aria-hidden />
              {`Enrich ${plural(count, 'Gene')}`}
            </Button>
            <SaveGenes
              key={group}
              genes={firstGenes}
              suggestion={listName(result, labelOf(group))}
              // Nobody may have more lists.
              groups={
                group === '' && groups.length <= manyChoices
                  ? () => listsOfGroups(result, rows, labelOf)
                  : undefined
              }
              disabled={count === 0}
            />
          </>
        )}
      </div>
    </div>
  );
}

interface GroupChoiceProps extends Pick<TableView, 'group' | 'setGroup'> {
  groups: readonly { name: string; markers: number }[];
  labelOf: (group: string) => string;
}

/** All groups of the table, or one of them, which is searched where they are many. */
function GroupChoice({ groups, group, setGroup, labelOf }: GroupChoiceProps) {
  const choices = useMemo(
    () => [
      { value: allGroups, label: 'All groups' },
      ...groups.map(({ name, markers }) => ({
        value: `=${name}`,
        label: `${labelOf(name) || '(no name)'} (${formatCount(markers)})`,
      })),
    ],
    [groups, labelOf],
  );
  const value = group === '' ? allGroups : `=${group}`;
  const choose = (next: string) => setGroup(next === allGroups ? '' : next.slice(1));
  const width = 'w-40 @min-[40rem]/dock:w-48';
  if (choices.length > manyChoices)
    return (
      <SearchedChoice label="Group" {...{ choices, value }} onChange={choose} className={`h-8 ${width}`} />
    );
  return (
    <Select value={value} onValueChange={choose}>
      <SelectTrigger data-size="sm" className={width} aria-label="Group">
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {choices.map((choice) => (
          <SelectItem key={choice.value} value={choice.value}>
            {choice.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}

/** A clipboard is unsuitable for millions of rows. */
const maxRows = 20_000;

function CopyRows({ table, rows }: { table: HeldTable; rows: Int32Array }) {
  const copied = rows.slice(0, maxRows);
  const copy = async () => {
    try {
      await copyText(table.file('tsv', copied, []).then((file) => file.text()));
      toast.success('Rows Copied', {
        description:
          copied.length < rows.length
            ? `The first ${formatCount(copied.length)} of ${plural(rows.length, 'row')}. Download the table for all.`
            : plural(copied.length, 'row'),
      });
    } catch (error) {
      console.warn('Rows were not copied.', error);
      toast.error('Copy failed', { description: 'The browser did not copy. Download the table instead.' });
    }
  };
  return (
    <Button variant="secondary" size="xs" disabled={copied.length === 0} onClick={() => void copy()}>
      <Copy aria-hidden />
      Copy Rows
    </Button>
  );
}
