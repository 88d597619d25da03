import { countText } from '@cellfolio/model';
import type { PseudobulkInput } from '../../pseudobulk-input.ts';
import { FigureInputError } from '../checked-input.ts';
import type { CommonSpec } from '../figure.ts';
import { raised, significant } from '../scene/style.ts';
import { categoryLabels, cleanLabel } from '../text/fit-text.ts';

export interface SampleFigureSpec extends CommonSpec {
  subtitle: string;
  sides: { a: string; b: string };
}

export type Side = 'a' | 'b';

export const sideColours: Readonly<Record<Side, string>> = { a: raised, b: significant };

type Compared = Pick<PseudobulkInput, 'a' | 'b' | 'part' | 'test' | 'cautions'>;

export function sampleHead(input: Compared) {
  const [a, b] = [cleanLabel(input.a), cleanLabel(input.b)];
  return {
    title: `${a} against ${b}`,
    subtitle: [cleanLabel(input.part), cleanLabel(input.test)].filter(Boolean).join(' · '),
    sides: { a, b },
    ...(input.cautions && { cautions: input.cautions }),
  };
}

/** Example: `12 samples: 6 of treated, 6 of control`. */
export function samplesText(samples: readonly { side: Side }[], { a, b }: SampleFigureSpec['sides']) {
  const ofA = samples.filter(({ side }) => side === 'a').length;
  return `${countText(samples.length)} samples: ${countText(ofA)} of ${a}, ${countText(samples.length - ofA)} of ${b}`;
}

/** Throws FigureInputError if values do not describe the same samples, or there are none to compare. */
export function checkSamples({ samples, columns, coefficients, gene }: PseudobulkInput): void {
  const count = samples.length;
  if (count < 2) throw new FigureInputError('samples', `${count} samples cannot be compared`);
  const lists = [
    ...columns.map(({ name, values }) => ({ name, values })),
    ...coefficients,
    ...(gene ? [{ name: gene.symbol, values: gene.logCpm }] : []),
  ];
  for (const { name, values } of lists) {
    if (values.length === count) continue;
    throw new FigureInputError('samples', `${values.length} values of ${name} do not fit ${count} samples`);
  }
}

export function sampleLabels(samples: readonly { name: string }[]): string[] {
  return categoryLabels(samples.map(({ name }) => name));
}
