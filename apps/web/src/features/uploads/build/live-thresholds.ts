import { processingDefaults } from '@cellfolio/contract';
import type { QualityChoice, QualityPlan } from '@cellfolio/contract';
import { isSameDroplets } from './build-form.ts';

export type QualityGroup = QualityPlan['groups'][number];
type Thresholds = QualityGroup['thresholds'];
export type Measure = 'counts' | 'genes' | 'mitochondrial';

// As the server draws them (packages/process/src/quality/deviation-limits.ts), so that lines move while somebody types.
const normal = 1.4826;
const rounding = 1e-9;
const soundMitochondrial = 0.08;

/** Where the lines of a group lie with these settings. */
export function liveThresholds(
  { spreads }: Pick<QualityGroup, 'spreads'>,
  choice: QualityChoice,
): Thresholds {
  const deviations = (choice.deviations ?? processingDefaults.deviations) * normal;
  const lowest = ({ median, deviation }: { median: number; deviation: number }) =>
    Math.max(0, Math.ceil(Math.exp(median - deviations * deviation) * (1 - rounding)));
  const { counts, genes, mitochondrial } = spreads;
  return {
    minimumCounts: choice.minimumCounts ?? lowest(counts),
    minimumGenes: choice.minimumGenes ?? lowest(genes),
    ...(mitochondrial && {
      maximumMitochondrial:
        choice.maximumMitochondrial ??
        Math.min(
          1,
          Math.max(
            soundMitochondrial,
            mitochondrial.median + deviations * mitochondrial.deviation + rounding,
          ),
        ),
    }),
  };
}

/**
 * The settings as the server takes them: of cells that were called among empty droplets, few counts or genes take none
 * away unless a number is typed.
 */
export function effectiveChoice(
  { droplets }: Pick<QualityPlan, 'droplets'>,
  choice: QualityChoice,
): QualityChoice {
  if (droplets?.keep !== 'called') return choice;
  const { minimumCounts = 0, minimumGenes = 0 } = choice;
  return { ...choice, minimumCounts, minimumGenes };
}

/** Whether a plan was made with these settings. */
export function isPlanOf({ choice: made }: Pick<QualityPlan, 'choice'>, choice: QualityChoice): boolean {
  return (
    isSameDroplets(made.droplets, choice.droplets) &&
    made.symbol === choice.symbol &&
    made.expression === choice.expression &&
    made.minimumCounts === choice.minimumCounts &&
    made.minimumGenes === choice.minimumGenes &&
    made.maximumMitochondrial === choice.maximumMitochondrial &&
    made.sampleColumn === choice.sampleColumn &&
    (made.deviations ?? processingDefaults.deviations) ===
      (choice.deviations ?? processingDefaults.deviations)
  );
}

/** The value at a place from 0 to 1 between the first and the last edge, rounded as people type it. */
export function valueAt(edges: readonly number[], place: number, measure: Measure): number {
  const at = Math.min(1, Math.max(0, place));
  const [first = 0] = edges;
  const last = edges.at(-1) ?? 1;
  if (measure === 'mitochondrial') return Math.round(1000 * (first + at * (last - first))) / 1000;
  const [low, high] = [Math.log(Math.max(first, 1e-9)), Math.log(Math.max(last, 1e-9))];
  // The left end is no threshold.
  return at === 0 ? 0 : Math.round(Number(Math.exp(low + at * (high - low)).toPrecision(3)));
}

/** Where a value lies between the first and the last edge, from 0 to 1: by logarithms but for shares. */
export function placeOf(edges: readonly number[], value: number, measure: Measure): number {
  const scale =
    measure === 'mitochondrial' ? (one: number) => one : (one: number) => Math.log(Math.max(one, 1e-9));
  const first = scale(edges[0] ?? 0);
  const last = scale(edges.at(-1) ?? 1);
  return last === first ? 0 : Math.min(1, Math.max(0, (scale(value) - first) / (last - first)));
}
