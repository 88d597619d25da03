import type { rankedEnrichment } from '@cellfolio/analyses';
import type { AnalysisAnswer, FigureSource } from '@cellfolio/contract';
import { maxListedGenes } from '@cellfolio/figures/content';
import { Eye, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { EmptyState } from '@/components/ui/placeholders.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs.tsx';
import { defineView, DownloadFigure, DrawnFigure, type FigurePanelProps } from '@/features/analyses/index.ts';
import { SaveGenes } from '@/features/gene-lists/index.ts';
import { useViewerSize } from '@/features/images/index.ts';
import { numbersOf, type TableColumns, textAt, textsOf } from '@/features/tables/index.ts';
import { cn } from '@/lib/cn.ts';
import { fileNamePart } from '@/lib/files.ts';
import { formatCount, plural } from '@/lib/format.ts';

type Answer = AnalysisAnswer<typeof rankedEnrichment> & {
  /** Its figure always has something to draw. */
  source: FigureSource;
};

export const rankedEnrichmentView = defineView<Answer>({
  panelTitle: 'Running Score',
  Figure: RunningScorePanel,
  pValueBounds({ method, permutations, facts }) {
    const bound = facts.find(({ code }) => code === 'p-values-at-bound')?.numbers?.['bound'];
    return new Map([
      ['FWER p-val', 1 / permutations],
      ...(method === 'permutation' ? [['FDR q-val', 1 / permutations] as const] : []),
      ...(typeof bound === 'number' ? [['NOM p-val', bound] as const] : []),
    ]);
  },
});

const maxListed = 200;

function RunningScorePanel({ answer, table, onGenes }: FigurePanelProps<Answer>) {
  const rows = useMemo(() => rankedRows(table), [table]);
  const [search, setSearch] = useState('');
  const [chosenTerm, setChosenTerm] = useState<string | undefined>();
  const searchText = search.trim().toLowerCase();
  const matches = useMemo(
    () => (searchText === '' ? rows : rows.filter(({ term }) => term.toLowerCase().includes(searchText))),
    [rows, searchText],
  );
  const chosen = rows.find(({ term }) => term === chosenTerm) ?? rows[0];
  if (chosen === undefined) {
    return (
      <EmptyState title="No set was tested">
        <p>No set of the library has the chosen number of ranked genes. Allow smaller or larger sets.</p>
      </EmptyState>
    );
  }
  return (
    <div className="grid shrink-0 gap-4 @min-[48rem]/dock:grid-cols-[minmax(15rem,22rem)_minmax(0,1fr)]">
      <div className="flex min-h-0 flex-col gap-2">
        <div className="relative">
          <Search aria-hidden className="text-muted absolute top-2 left-2.5 size-4" />
          <Input
            type="search"
            aria-label="Search the sets"
            placeholder="Search sets"
            className="h-8 pl-8 text-[13px]"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
        <SetList answer={answer} rows={matches} chosen={chosen.term} onChoose={setChosenTerm} />
      </div>
      <ChosenSet key={chosen.term} answer={answer} row={chosen} onGenes={onGenes} />
    </div>
  );
}

interface SetListProps {
  answer: Answer;
  rows: readonly RankedRow[];
  chosen: string;
  onChoose: (term: string) => void;
}

function SetList({ answer, rows, chosen, onChoose }: SetListProps) {
  return (
    <>
      <ul
        aria-label="Sets"
        className="flex max-h-48 flex-col overflow-y-auto rounded-md border p-1 @min-[48rem]/dock:max-h-[max(12rem,46dvh)]"
      >
        {rows.slice(0, maxListed).map((row) => (
          <li key={row.term}>
            <button
              type="button"
              aria-pressed={row.term === chosen}
              className={cn(
                'flex w-full items-baseline gap-2 rounded px-2 py-1 text-left text-[13px] -outline-offset-2',
                row.term === chosen ? 'bg-surface-3 font-medium' : 'hover:bg-surface-2',
              )}
              onClick={() => onChoose(row.term)}
            >
              <span className="min-w-0 flex-1 truncate" title={row.term}>
                {row.term}
              </span>
              <span className="text-muted shrink-0 text-xs tabular-nums">
                {row.nes.toFixed(2).replace('-', '−')} · q {boundedText(row.fdr, answer)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-muted text-xs">
        {rows.length > maxListed
          ? `The first ${formatCount(maxListed)} of ${plural(rows.length, 'set')} by absolute NES; search for others.`
          : `${plural(rows.length, 'set')}, by absolute NES.`}
      </p>
    </>
  );
}

interface ChosenSetProps {
  answer: Answer;
  row: RankedRow;
  onGenes: (genes: readonly string[]) => void;
}

function ChosenSet({ answer, row, onGenes }: ChosenSetProps) {
  const { term, leading } = row;
  const curve = runningScoreSource(answer.source, term);
  const dots = leading.slice(0, maxListedGenes);
  // More maps would push the user's other images out of the library.
  const plotted = leading.slice(0, useViewerSize());
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-48 flex-1 text-[13px] wrap-anywhere tabular-nums">
          Leading edge: {plural(leading.length, 'gene')} of {formatCount(row.size)}
        </p>
        <Button
          variant="secondary"
          size="sm"
          disabled={leading.length === 0}
          onClick={() => onGenes(plotted)}
        >
          <Eye aria-hidden />
          {`Visualize ${leading.length > plotted.length ? `First ${plotted.length} of ` : ''}${plural(leading.length, 'Gene')}`}
        </Button>
        <SaveGenes
          genes={() => leading}
          suggestion={`${term} leading edge`.slice(0, 100)}
          disabled={leading.length === 0}
        />
        <DownloadFigure
          source={curve}
          title={`Running score of ${term}`}
          word="running score"
          file={`running_score_${fileNamePart(term) || 'set'}`}
        />
      </div>
      <Tabs defaultValue="curve" className="flex flex-col gap-2">
        <TabsList className="self-start">
          <TabsTrigger value="curve">Running Score</TabsTrigger>
          <TabsTrigger value="dots" disabled={dots.length === 0}>
            Dot Plot of Leading Edge
          </TabsTrigger>
        </TabsList>
        {/* As high as the window has room for, beneath its facts and cautions. */}
        <TabsContent value="curve" className="mx-auto w-full max-w-[max(26rem,calc((100dvh-31rem)*1.03))]">
          <DrawnFigure source={curve} word="running score" alt={`Running score of ${term}`} />
        </TabsContent>
        <TabsContent value="dots" className="flex flex-col gap-2">
          {dots.length < leading.length && (
            <p className="text-muted text-xs">
              The first {dots.length} of {formatCount(leading.length)} genes.
            </p>
          )}
          <DrawnFigure
            source={{
              ...answer.source,
              content: { kind: 'gene-dot-plot', genes: dots, scale: 'none', order: 'column' },
            }}
            word="dot plot"
            alt={`Dot plot of the leading edge of ${term}`}
          />
        </TabsContent>
      </Tabs>
      <p className="text-muted max-h-24 overflow-y-auto text-xs wrap-anywhere">{leading.join(', ')}</p>
    </div>
  );
}

function runningScoreSource(source: FigureSource, term: string): FigureSource {
  const { content } = source;
  if (content.kind !== 'ranked-enrichment-bar') return source;
  return { ...source, content: { ...content, kind: 'running-score', term } };
}

interface RankedRow {
  term: string;
  nes: number;
  /** NaN if undefined. */
  fdr: number;
  size: number;
  /** Genes of the leading edge, the most extreme first. */
  leading: readonly string[];
}

export function rankedRows({ columns, rowCount }: TableColumns): RankedRow[] {
  const [terms, lead] = [textsOf(columns, 'Term'), textsOf(columns, 'Lead_genes')];
  const numbers = (name: string) => numbersOf(columns, name);
  const [nes, fdr, size] = [numbers('NES'), numbers('FDR q-val'), numbers('Size')];
  const rows: RankedRow[] = [];
  if (terms === undefined) return rows;
  for (let row = 0; row < rowCount; row++) {
    const score = nes?.[row] ?? Number.NaN;
    if (Number.isNaN(score)) continue;
    const leading = (lead === undefined ? '' : textAt(lead, row)).split(';').filter((gene) => gene !== '');
    const term = textAt(terms, row);
    rows.push({ term, nes: score, fdr: fdr?.[row] ?? Number.NaN, size: size?.[row] ?? 0, leading });
  }
  return rows;
}

/** Three digits of a rate; a 0 from permutations is shown as an upper bound. */
export function boundedText(
  rate: number,
  { method, permutations }: Pick<Answer, 'method' | 'permutations'>,
): string {
  if (Number.isNaN(rate)) return '–';
  if (rate === 0) return method === 'permutation' ? `< ${1 / permutations}` : '0';
  return rate >= 0.001 ? rate.toFixed(3) : rate.toExponential(1).replace('e-', 'e−');
}
