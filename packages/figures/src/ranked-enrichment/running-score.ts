import { countText } from '@cellfolio/model';
import { FigureInputError } from '../drawing/checked-input.ts';
import type { Figure } from '../drawing/figure.ts';
import { cleanLabel } from '../drawing/text/fit-text.ts';
import { type FigureSetting, plot } from '../plot.ts';
import { value } from '../plot-words.ts';
import { boundedP, orNull, type RankedEnrichmentInput } from './ranked-sets.ts';
import type { runningScoreContent } from './content.ts';
import { runningScoreDrawing, runningScoreSize } from './running-score-scene.ts';
import type { RunningScoreSpec } from './running-score-spec.ts';

/** Sampled positions of the metric: more than the figure has pixels. */
const metricPlaces = 600;

/** Running score of one set, its genes, and the metric below. Throws FigureInputError if no set was tested. */
export function runningScoreFigure({
  datasetName,
  ...input
}: RankedEnrichmentInput & Pick<FigureSetting, 'datasetName'>): Figure<RunningScoreSpec> {
  const { curve, metric } = input;
  if (curve === null) {
    throw new FigureInputError(
      'enrichment',
      'no set of the library has the requested number of ranked genes',
    );
  }
  const [nes, p, fdr, fwer] = [curve.nes, curve.p, curve.fdr, curve.fwer].map(orNull) as (number | null)[];
  const firstNegative = metric.findIndex((one) => one < 0);
  return {
    spec: {
      version: 1,
      kind: 'running-score',
      title: cleanLabel(curve.term),
      subtitle: [input.ranking, input.library].map(cleanLabel).join(' · '),
      datasetName: cleanLabel(datasetName),
      summary: `ES ${value(curve.es)} · NES ${value(nes!)} · FDR q ${boundedP(fdr!, input.leastP)} · leading edge ${countText(curve.leading)} of ${countText(curve.size)} genes`,
      size: runningScoreSize,
      leastP: input.leastP,
      sides: { top: cleanLabel(input.sides.top), end: cleanLabel(input.sides.end) },
      es: curve.es,
      nes: nes!,
      p: p!,
      fdr: fdr!,
      fwer: fwer!,
      setSize: curve.size,
      leading: curve.leadingGenes.map(cleanLabel),
      genes: metric.length,
      curve: Array.from(curve.places, (place, i) => [place, Number(curve.scores[i]!.toPrecision(6))]),
      hits: Array.from(curve.hits),
      metricName: cleanLabel(input.metricName),
      metric: sampled(metric),
      ...(firstNegative > 0 && { zeroAt: firstNegative }),
      cautions: input.cautions,
    },
    columns: {},
    drawing: runningScoreDrawing,
  };
}

function sampled(metric: Float64Array): [number, number][] {
  const count = Math.min(metricPlaces, metric.length);
  return Array.from({ length: count }, (_, i) => {
    const place = count === 1 ? 0 : Math.round((i * (metric.length - 1)) / (count - 1));
    return [place, Number(metric[place]!.toPrecision(5))];
  });
}

export const runningScore = plot<typeof runningScoreContent>(
  'running-score',
  ({ enrichment }, { datasetName }) => runningScoreFigure({ ...enrichment, datasetName }),
);
