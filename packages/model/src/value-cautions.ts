import type { Caution } from './caution.ts';
import type { ExpressionSource } from './dataset.ts';
import type { ResultCaution } from './result-cautions.ts';

/** Dataset warning whose numbers its results repeat. */
export const scaledValues = 'scaled-values';
export const modelledValues = 'modelled-values';
export const equalTotals = 'equal-totals';
export const noCountsUsed = 'no-counts';

interface ValuesOfDataset {
  expression: Pick<ExpressionSource, 'state'>;
  warnings: readonly Caution[];
}

/**
 * Cautions for results from expression that is not log-normalised, with the evidence, and why no counts stand beside it.
 * @param effect the consequence
 */
export function valueCautions(
  dataset: ValuesOfDataset,
  effect = 'log fold changes may be wrong',
): ResultCaution[] {
  const unused = dataset.warnings.find(({ code }) => code === noCountsUsed);
  return [
    ...scaleCautions(dataset, effect),
    ...(unused ? [{ code: 'counts-not-used', message: unused.message } as const] : []),
  ];
}

function scaleCautions(
  { expression: { state }, warnings }: ValuesOfDataset,
  effect: string,
): ResultCaution[] {
  const code = 'not-log-normalised';
  const modelled = warnings.find((warning) => warning.code === modelledValues);
  if (modelled !== undefined) {
    const message = `${percentOf(modelled.numbers?.['zeros'])} of the values are 0, as if a model had filled them in: ${effect}, and p-values are too small. ${noDifferences}`;
    return [{ code, message, numbers: modelled.numbers! }];
  }
  if (state === 'unknown')
    return [
      { code, message: `The dataset does not hold log-normalized values, so ${effect}. Test raw counts.` },
    ];
  if (state !== 'scaled') return [];
  const scaled = warnings.find((warning) => warning.code === scaledValues);
  const share = scaled?.numbers === undefined ? 'Some' : percentOf(scaled.numbers['negative']);
  const message = `${share} of the values are below 0: scaled or integrated, so ${effect}. ${noDifferences}`;
  return [{ code, message, ...(scaled?.numbers && { numbers: scaled.numbers }) }];
}

/** Sentence added to a count of genes that hold with samples as replicates; empty for log-normalised values. */
export function replicatesOfValues(dataset: ValuesOfDataset): string {
  return scaleCautions(dataset, '').length > 0 && dataset.expression.state !== 'unknown'
    ? ' For corrected values this is weak evidence.'
    : '';
}

const noDifferences =
  'Differences between samples in these values may be absent from the counts: test the counts.';

/** Cautions for results from counts whose cells all have the same total. */
export function countCautions({ warnings }: Pick<ValuesOfDataset, 'warnings'>): ResultCaution[] {
  const equal = warnings.find(({ code }) => code === equalTotals);
  if (equal === undefined) return [];
  const message = `Cell totals differ by only ${percentOf(equal.numbers?.['spread'])}, as in rounded normalized values. Unless the counts were downsampled, these p-values are wrong: import the values as normalized ones.`;
  return [{ code: equalTotals, message, numbers: equal.numbers! }];
}

/** Reason why no counts are used, for analyses that need them; empty, or a sentence after a space. */
export function noCountsReason(warnings: readonly Pick<Caution, 'code' | 'message'>[]): string {
  const reason = warnings.find(({ code }) => code === noCountsUsed);
  return reason === undefined ? '' : ` ${reason.message}`;
}

function percentOf(figure: unknown): string {
  const share = Number(figure);
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}
