import { sampleNoun, samplesText } from '@cellfolio/analyses/cautions';
import { columnTitle } from '@cellfolio/contract';
import { type ResultCaution as Caution, countText, listedNames } from '@cellfolio/model';
import type { Nesting, SampleColumn } from './sample-column.ts';

/**
 * From `npm run bench -- nested-samples`, as in docs/false-discoveries.md: numbers of genes called, of the total in
 * `genes`.
 */
const simulated = { lanes: { from: 67, to: 133 }, random: { from: 1, to: 15 }, genes: 600 } as const;

const maxColumnsListed = 5;

interface Likeness {
  correlation: number | undefined;
  /** The column of the random effect; undefined for none. */
  random: string | undefined;
}

/**
 * Cautions about replicates that come, or may come, from fewer individuals; none when the individuals are the
 * replicates.
 */
export function nestingCautions(
  { column, nesting }: SampleColumn,
  { correlation, random }: Likeness = { correlation: undefined, random: undefined },
): Caution[] {
  const onSides = nesting?.samples.column === column ? nesting.onSides : undefined;
  if (!nesting || !onSides) return [];
  const named = nesting.units.find(({ name }) => name === 'individual');
  if (!named) return [mayBeNested(column, nesting, onSides)];
  const { samples, units, perSide, areReplicated } = onSides;
  const title = columnTitle(named.column);
  const { many } = sampleNoun(named.column);
  const numbers = { sampleColumn: column, samples, unitColumn: named.column, units };
  if (perSide === 1) {
    // One sample of a unit on a side is as good a replicate as the unit.
    if (samples === units) return [];
    return [
      {
        code: 'units-not-paired',
        message: `The ${countText(samples)} samples (${columnTitle(column)}) are of ${samplesText(units, named.column)} with samples on both sides. Choose ${title} as Samples to compare them in pairs, which removes differences between ${many}.`,
        numbers,
      },
    ];
  }
  const isAllowed = random === named.column;
  const { from, to } = isAllowed ? simulated.random : simulated.lanes;
  // How far one unit on a side differs from others is not known, nor the correlation of its samples.
  const effective =
    correlation === undefined || !areReplicated
      ? undefined
      : samples / (1 + (perSide - 1) * Math.max(0, correlation));
  const measured =
    effective === undefined
      ? ''
      : `, worth about ${countText(Math.max(1, Math.round(effective)))} independent ones`;
  const few = areReplicated ? '' : `, too few ${many} on a side`;
  const advice = areReplicated
    ? `Choose ${title} as Samples, or limit conclusions to these ${many}.`
    : `Limit conclusions to these ${many}, or compare more of them.`;
  const despite = isAllowed ? `in spite of the random effect of ${title}, ` : '';
  return [
    {
      code: 'samples-nested',
      message: `The replicates are ${countText(samples)} samples (${columnTitle(column)}) of ${samplesText(units, named.column)}${measured}${few}: ${despite}${from} to ${to} of ${simulated.genes} genes passed in simulations without a difference. ${advice}`,
      numbers: {
        ...numbers,
        samplesPerUnit: Number(perSide.toFixed(2)),
        ...(effective !== undefined && {
          correlation: Number(correlation!.toFixed(4)),
          effectiveSamples: Number(effective.toFixed(1)),
        }),
      },
    },
  ];
}

function mayBeNested(
  column: string,
  nesting: Nesting,
  { samples }: NonNullable<Nesting['onSides']>,
): Caution {
  const listed = nesting.units.slice(0, maxColumnsListed);
  const words = nesting.units.map((one) => `${columnTitle(one.column)} (${countText(one.values)} values)`);
  return {
    code: 'samples-may-be-nested',
    message: `Each of the ${countText(samples)} samples (${columnTitle(column)}) has one value of ${listedNames(words, maxColumnsListed)}. If these are individuals, choose that column as Samples: samples of one individual are not replicates.`,
    numbers: {
      sampleColumn: column,
      samples,
      unitColumns: listed.map((one) => one.column),
      units: listed.map(({ values }) => values),
    },
  };
}
