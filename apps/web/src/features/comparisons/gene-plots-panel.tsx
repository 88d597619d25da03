import type { ComparisonAnswer } from '@cellfolio/contract';
import { Eye, RotateCcw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { type FigurePanelProps, type FigureThresholds, ThresholdFields } from '@/features/analyses/index.ts';
import { chartScales, type ChartThreshold, PointsChart } from '@/features/gene-points/index.ts';
import { GeneLinksMenu } from '@/features/genes/index.ts';
import { columnNamed, textAt } from '@/features/tables/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { formatCount } from '@/lib/format.ts';
import { groupsHere, mostDiffering } from './follow-ups.ts';
import {
  type GenePlot,
  genePlot,
  type GenePlotKind,
  type PlottedGenes,
  plottedGenes,
  roundChange,
  roundP,
  tonesOf,
} from './gene-plots.ts';

type PanelProps = FigurePanelProps<ComparisonAnswer>;

/**
 * All genes of a comparison as points of a volcano, MA or rank plot. Moving a threshold only affects this view: it
 * colours and counts the genes without testing again.
 */
export function GenePlotsPanel(props: PanelProps) {
  const { answer, table, figure, selected, onSelect, onGene, mapGene, onMapGene, dataset } = props;
  const state = useGenePlot(props);
  const { genes, plot, tones, thresholds, part } = state;
  const [pointed, setPointed] = useState<number | undefined>();
  const [gone, setGone] = useState<number | undefined>();
  const geneOf = useMemo(() => {
    const names = columnNamed(table.columns, 'names');
    return (row: number) => (names === undefined ? '' : textAt(names, row));
  }, [table]);
  // The gene on the map is the one that is gone to, wherever it was chosen.
  const [shownGene, setShownGene] = useState<string | null>(null);
  if (shownGene !== mapGene) {
    setShownGene(mapGene);
    if (mapGene !== null) setGone(genes.rows.find((row) => geneOf(row) === mapGene));
  }
  const scales = useMemo(() => chartScales(plot.x, plot.y), [plot]);
  const ofPlot = useMemo(() => Uint8Array.from(plot.places, (at) => tones.tones[at]!), [plot, tones]);
  const wordsOf = (row: number) => geneWords(genes, genes.rows.indexOf(row));
  // What is selected elsewhere, or was in another group, is not gone to.
  const chosen = gone !== undefined && genes.rows.includes(gone) ? gone : undefined;
  const shown = pointed ?? chosen;
  const title = props.plots.find(({ kind }) => kind === figure.kind)?.title ?? 'Plot';
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <PlotChoices {...props} part={part} />
        <ThresholdBar {...state} />
      </div>
      {/* As high as the window has room for, beneath its facts and cautions. */}
      <div className="mx-auto w-full max-w-[max(34rem,calc((100dvh-29rem)*1.65))]">
        <PointsChart
          label={`${title} of ${answer.a.name} against ${answer.b.name}. Arrow keys go through the genes, smallest p-value first; the space bar selects one, Enter shows it on the map.`}
          points={plot.points}
          tones={ofPlot}
          scales={scales}
          ends={endsOf(figure.kind, answer)}
          thresholds={thresholdLines(plot, thresholds, state.setThresholds)}
          note={noteOf(thresholds)}
          selected={selected}
          onSelect={(rows, how) => {
            if (rows.length === 1) setGone(rows[0]);
            if (rows.length === 0) onMapGene(null);
            onSelect(rows, how);
          }}
          shown={shown}
          onPoint={setPointed}
          onGo={setGone}
          geneOf={geneOf}
          wordsOf={wordsOf}
          onEnter={(row) => onMapGene(geneOf(row))}
        />
      </div>
      <div className="flex min-h-9 flex-wrap items-center gap-2 text-[13px]">
        <p role="status" className="min-w-0 flex-1 wrap-anywhere tabular-nums">
          {shown === undefined
            ? `${formatCount(plot.points.rows.length)} genes. Click one to show it on the map and select it; drag to select several; Shift adds to them.`
            : `${geneOf(shown)}: ${wordsOf(shown).join(', ')}`}
        </p>
        {chosen !== undefined && (
          <>
            <Button variant="secondary" size="sm" onClick={() => onGene(geneOf(chosen))}>
              <Eye aria-hidden />
              Visualize {geneOf(chosen)}
            </Button>
            <GeneLinksMenu gene={geneOf(chosen)} dataset={dataset} />
          </>
        )}
      </div>
    </div>
  );
}

function useGenePlot({ answer, table, group, figure, onFigure }: PanelProps) {
  const { pvals_adj, logfoldchanges, within } = answer.parameters;
  const requestedThresholds = useMemo(
    () => ({ adjustedP: pvals_adj, foldChange: logfoldchanges }),
    [pvals_adj, logfoldchanges],
  );
  const part =
    within === undefined ? undefined : (figure.part ?? (group === '' ? mostDiffering(answer, table) : group));
  const genes = useMemo(() => plottedGenes(table, part), [table, part]);
  const plot = useMemo(
    () => genePlot(figure.kind as GenePlotKind, genes, requestedThresholds),
    [figure.kind, genes, requestedThresholds],
  );
  const thresholds = figure.thresholds ?? requestedThresholds;
  const tones = useMemo(() => tonesOf(genes, thresholds), [genes, thresholds]);
  return {
    part,
    genes,
    plot,
    tones,
    thresholds,
    isChanged: figure.thresholds !== undefined,
    setThresholds: (change: Partial<FigureThresholds>) => {
      const next = { ...thresholds, ...change };
      const isUnchanged =
        next.adjustedP === requestedThresholds.adjustedP &&
        next.foldChange === requestedThresholds.foldChange;
      onFigure({ thresholds: isUnchanged ? undefined : next });
    },
    reset: () => onFigure({ thresholds: undefined }),
  };
}

type PlotState = ReturnType<typeof useGenePlot>;

function ThresholdBar({ tones, thresholds, setThresholds, isChanged, reset }: PlotState) {
  return (
    <div
      role="group"
      aria-label="Thresholds"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] @min-[40rem]/dock:ml-auto"
    >
      <p role="status" className="tabular-nums">
        <span className="font-medium">{formatCount(tones.higher)}</span> higher in A,{' '}
        <span className="font-medium">{formatCount(tones.lower)}</span> higher in B
      </p>
      <ThresholdFields thresholds={thresholds} onChange={setThresholds} />
      <Button
        variant="ghost"
        size="icon-sm"
        aria-label="Reset thresholds"
        title="Reset thresholds"
        disabled={!isChanged}
        onClick={reset}
      >
        <RotateCcw aria-hidden />
      </Button>
    </div>
  );
}

function PlotChoices({
  answer,
  table,
  plots,
  figure,
  onFigure,
  part,
}: PanelProps & { part: string | undefined }) {
  const { ofColumn } = useCategoryNames(answer.source?.dataset_filename);
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2 @max-[40rem]/dock:w-full">
      <div role="group" aria-label="Plot" className="bg-surface-2 flex rounded-md p-0.5">
        {plots.map(({ kind, title }) => (
          <Button
            key={kind}
            variant={kind === figure.kind ? 'secondary' : 'ghost'}
            size="xs"
            aria-pressed={kind === figure.kind}
            onClick={() => onFigure({ kind })}
          >
            {title}
          </Button>
        ))}
      </div>
      {part !== undefined && (
        <Select value={`=${part}`} onValueChange={(value) => onFigure({ part: value.slice(1) })}>
          <SelectTrigger
            data-size="sm"
            className="w-72 min-w-40 @max-[40rem]/dock:w-40 @max-[40rem]/dock:flex-1"
            aria-label="Group of the plot"
          >
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {groupsHere(answer, table).map(({ name, higher, lower }) => (
              <SelectItem key={name} value={`=${name}`}>
                {`${ofColumn(answer.parameters.within, name) || '(no name)'}: ${formatCount(higher)} higher, ${formatCount(lower)} lower`}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
    </div>
  );
}

function thresholdLines(
  { x, y, changeAxis, scale }: GenePlot,
  { adjustedP, foldChange }: FigureThresholds,
  onChange: (change: Partial<FigureThresholds>) => void,
): ChartThreshold[] {
  const sureness = {
    name: 'Adjusted p-value below',
    axis: 'y',
    steps: [0.1, 1],
    text: `adjusted p < ${adjustedP}`,
  } as const;
  if (scale !== undefined) {
    const maxScore = Math.max(Math.abs(y.range[0]), Math.abs(y.range[1]));
    return [
      {
        ...sureness,
        at: Math.min(maxScore, scale.scoreAt(adjustedP)),
        isMirrored: true,
        range: [0, maxScore],
        onMove: (to) => onChange({ adjustedP: roundP(scale.pAt(to)) }),
      },
    ];
  }
  if (changeAxis === undefined) return [];
  const change: ChartThreshold = {
    name: 'Log2 fold change at least, in either direction',
    axis: changeAxis,
    at: foldChange,
    isMirrored: true,
    range: [0, (changeAxis === 'x' ? x : y).range[1]],
    steps: [0.05, 0.5],
    text: `|log2 fold change| ≥ ${foldChange}`,
    onMove: (to) => onChange({ foldChange: roundChange(to) }),
  };
  if (changeAxis === 'y') return [change];
  return [
    {
      ...sureness,
      at: -Math.log10(Math.max(adjustedP, 1e-300)) + 0,
      isMirrored: false,
      range: [0, y.range[1]],
      onMove: (to) => onChange({ adjustedP: roundP(10 ** -to) }),
    },
    change,
  ];
}

function noteOf({ adjustedP, foldChange }: FigureThresholds): string {
  const words = [
    ...(adjustedP < 1 ? [`adjusted p < ${adjustedP}`] : []),
    ...(foldChange > 0 ? [`|log₂ fold change| ≥ ${foldChange}`] : []),
  ];
  return `Colored: ${words.join(', ') || 'all'}`;
}

function endsOf(kind: string, { a, b }: ComparisonAnswer): [string, string] {
  if (kind === 'ma-plot') return [`below 0: higher in ${b.name}`, `above 0: higher in ${a.name}`];
  if (kind === 'rank-plot') return [`higher in ${a.name}`, `higher in ${b.name}`];
  return [`higher in ${b.name}`, `higher in ${a.name}`];
}

function geneWords({ changes, adjustedPs, means, statistics }: PlottedGenes, at: number): string[] {
  const change = changes[at] ?? NaN;
  const p = adjustedPs[at] ?? NaN;
  const size = Number.isFinite(change) ? signed(change) : change > 0 ? '∞' : '−∞';
  const pText = p === 0 ? '< 2.2e−308' : p >= 0.001 ? p.toFixed(3) : p.toExponential(1).replace('e-', 'e−');
  const [mean, score] = [means[at] ?? NaN, statistics[at] ?? NaN];
  return [
    `log2 fold change ${size}`,
    `adjusted p ${pText}`,
    ...(Number.isNaN(score) ? [] : [`score ${signed(score)}`]),
    ...(Number.isNaN(mean) ? [] : [`mean ${signed(mean)}`]),
  ];
}

function signed(value: number): string {
  return value.toFixed(2).replace('-', '−');
}
