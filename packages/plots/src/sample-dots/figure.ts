import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { checkSamples, sampleHead, sampleLabels, type Side } from '../drawing/samples/sample-figure.ts';
import { categoryLabel, cleanLabel } from '../drawing/text/fit-text.ts';
import { valueText } from '../drawing/text/number-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import type { PseudobulkInput } from '../pseudobulk-input.ts';
import type { sampleDotsContent } from '../pseudobulk-content.ts';
import { sampleDotsDrawing, sampleDotsSize, type SampleDotsSpec } from './scene.ts';

type SampleDotsInput = PseudobulkInput & Pick<FigureSetting, 'datasetName'>;

/**
 * A gene's log2 counts per million in each sample. Throws FigureInputError without a gene, or for a non-finite value.
 */
export function sampleDotsFigure(input: SampleDotsInput): Figure<SampleDotsSpec> {
  checkSamples(input);
  const { gene, samples } = input;
  if (!gene) throw new FigureInputError('gene', 'a figure of samples by a gene needs the gene');
  const symbol = categoryLabel(gene.symbol);
  const labels = sampleLabels(samples);
  const shown = samples.map(({ side }, at) => ({ label: labels[at]!, side, value: gene.logCpm[at]! }));
  const wrong = shown.find(({ value }) => !Number.isFinite(value));
  if (wrong) throw new FigureInputError('gene', `the value of ${wrong.label} is ${wrong.value}`);
  const head = sampleHead(input, input.datasetName);
  const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
  const [logFoldChange, adjustedP] = [finite(gene.logFoldChange), finite(gene.adjustedP)];
  const paired = pairsOf(input);
  const spec: SampleDotsSpec = {
    version: 1,
    kind: 'sample-dots',
    ...head,
    title: symbol,
    subtitle: [head.title, head.subtitle].filter(Boolean).join(' · '),
    summary:
      logFoldChange === null || adjustedP === null
        ? 'not tested: too few counts'
        : `log₂ fold change ${valueText(logFoldChange)}, adjusted p ${valueText(adjustedP)}`,
    size: sampleDotsSize,
    gene: symbol,
    logFoldChange,
    adjustedP,
    domain: domainOf(shown.map(({ value }) => value)),
    samples: shown,
    means: { a: meanOf(shown, 'a'), b: meanOf(shown, 'b') },
    ...(paired && { pairs: paired }),
  };
  return { spec, columns: {}, drawing: sampleDotsDrawing };
}

function meanOf(samples: SampleDotsSpec['samples'], side: Side): number | null {
  const own = samples.filter((sample) => sample.side === side);
  return own.length === 0 ? null : own.reduce((sum, { value }) => sum + value, 0) / own.length;
}

function domainOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const more = 0.08 * (high - low) || 0.5;
  return [low - more, high + more];
}

/** Pairs with one sample on each side; a level with more per side cannot be shown as a line. */
function pairsOf({ columns, samples }: PseudobulkInput): SampleDotsSpec['pairs'] {
  const pairing = columns.find(({ role }) => role === 'pairing');
  if (!pairing) return undefined;
  const levels = new Map<string | number, Record<Side, number[]>>();
  samples.forEach(({ side }, at) => {
    const level = pairing.values[at];
    if (level === null || level === undefined) return;
    const pair = levels.get(level) ?? { a: [], b: [] };
    pair[side].push(at);
    levels.set(level, pair);
  });
  const places = [...levels.values()].flatMap(({ a, b }) =>
    a.length === 1 && b.length === 1 ? [[a[0]!, b[0]!] as const] : [],
  );
  return { title: cleanLabel(pairing.name), places };
}

export const sampleDots = plot<typeof sampleDotsContent>('sample-dots', ({ tested }, { datasetName }) =>
  sampleDotsFigure({ ...tested, datasetName }),
);
