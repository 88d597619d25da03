import { processingDefaults, qualityThresholds } from '@cellfolio/contract';
import type { QualityChoice, QualityPlan, QualityThresholds } from '@cellfolio/contract';
import { isSameDroplets } from './build-form.ts';

export type QualityGroup = QualityPlan['groups'][number];
export type Measure = 'counts' | 'genes' | 'mitochondrial';

/** Thresholds of a group under these settings, computed as on the server, so that lines move while the user types. */
export function liveThresholds(
  { spreads }: Pick<QualityGroup, 'spreads'>,
  { deviations = processingDefaults.deviations, ...choice }: QualityChoice,
): QualityThresholds {
  return qualityThresholds(spreads, { ...choice, deviations });
}

/**
 * Settings as the server applies them: if cells were called among empty droplets, low counts or genes remove none
 * unless a number is typed.
 */
export function effectiveChoice(
  { droplets }: Pick<QualityPlan, 'droplets'>,
  choice: QualityChoice,
): QualityChoice {
  if (droplets?.keep !== 'called') return choice;
  const { minimumCounts = 0, minimumGenes = 0 } = choice;
  return { ...choice, minimumCounts, minimumGenes };
}

/** Whether a plan has the cells and groups that these settings give, regardless of thresholds. */
export function isOfSameCells(
  { choice: planned }: Pick<QualityPlan, 'choice'>,
  choice: QualityChoice,
): boolean {
  return (
    isSameDroplets(planned.droplets, choice.droplets) &&
    planned.symbol === choice.symbol &&
    planned.expression === choice.expression &&
    planned.sampleColumn === choice.sampleColumn
  );
}

export function isPlanOf(plan: Pick<QualityPlan, 'choice'>, choice: QualityChoice): boolean {
  const { choice: planned } = plan;
  return (
    isOfSameCells(plan, choice) &&
    planned.minimumCounts === choice.minimumCounts &&
    planned.minimumGenes === choice.minimumGenes &&
    planned.maximumMitochondrial === choice.maximumMitochondrial &&
    (planned.deviations ?? processingDefaults.deviations) ===
      (choice.deviations ?? processingDefaults.deviations)
  );
}

/** Value at a position from 0 to 1 between the first and the last edge, rounded to a typable number. */
export function valueAt(edges: readonly number[], place: number, measure: Measure): number {
  const at = Math.min(1, Math.max(0, place));
  const [first = 0] = edges;
  const last = edges.at(-1) ?? 1;
  if (measure === 'mitochondrial') {
    // The right end is no threshold.
    return at === 1 ? 1 : Math.round(1000 * (first + at * (last - first))) / 1000;
  }
  const [low, high] = [Math.log(Math.max(first, 1e-9)), Math.log(Math.max(last, 1e-9))];
  // The left end is no threshold.
  return at === 0 ? 0 : Math.round(Number(Math.exp(low + at * (high - low)).toPrecision(3)));
}

/** Position of a value between the first and the last edge, from 0 to 1: logarithmic except for shares. */
export function placeOf(edges: readonly number[], value: number, measure: Measure): number {
  const scale =
    measure === 'mitochondrial' ? (one: number) => one : (one: number) => Math.log(Math.max(one, 1e-9));
  const first = scale(edges[0] ?? 0);
  const last = scale(edges.at(-1) ?? 1);
  return last === first ? 0 : Math.min(1, Math.max(0, (scale(value) - first) / (last - first)));
}

/** Threshold after a key press: arrows move by a hundredth of the axis and at least one unit, page keys by a tenth. */
export function keyedValue(
  key: string,
  { edges, value, measure }: { edges: readonly number[]; value: number; measure: Measure },
): number | undefined {
  if (key === 'Home' || key === 'End') return valueAt(edges, key === 'Home' ? 0 : 1, measure);
  // name-dictionary: names of keys, none of them of a stranger
  const steps = new Map([
    ['ArrowRight', 1],
    ['ArrowUp', 1],
    ['ArrowLeft', -1],
    ['ArrowDown', -1],
    ['PageUp', 10],
    ['PageDown', -10],
  ]).get(key);
  if (steps === undefined) return undefined;
  const next = valueAt(edges, placeOf(edges, value, measure) + steps / 100, measure);
  if (Math.sign(next - value) === Math.sign(steps)) return next;
  const unit = measure === 'mitochondrial' ? 0.001 : 1;
  const maximum = valueAt(edges, 1, measure);
  return Math.max(
    0,
    Math.min(Math.max(maximum, value), Number((value + Math.sign(steps) * unit).toFixed(3))),
  );
}
