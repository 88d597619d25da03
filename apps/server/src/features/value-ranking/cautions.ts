import { compositionLimit, hasOtherComposition } from '@cellfolio/analysis';
import {
  type ResultCaution as Caution,
  countText,
  percentText,
  listedNames,
  plural,
  pluralWord,
} from '@cellfolio/model';
import { compositionText } from '../../runtime/named-composition.ts';
import { comparedSamples, endCount, type RankedEnds } from './ranked-ends.ts';

const maxNamesListed = 5;

/** Limits of a comparison of ends that apply, each with its figures. */
export function endCautions(ends: RankedEnds): Caution[] {
  return [
    ...otherGroups(ends),
    ...samplesLeftOut(ends),
    ...tiedCells(ends),
    ...shortEnds(ends),
    association(ends),
    ...withoutSamples(ends),
    ...notRanked(ends),
    ...ends.scoreCautions,
  ];
}

function otherGroups({ composition, groupColumn: column }: RankedEnds): Caution[] {
  if (!composition || column === undefined || !hasOtherComposition(composition)) return [];
  return [
    {
      code: 'ends-of-other-groups',
      message: `The ends ${compositionText(composition, column)}. Genes may differ for this reason: rank the cells of one group.`,
      numbers: { distance: composition.distance, limit: compositionLimit },
    },
  ];
}

function samplesLeftOut({ samples, minCells }: RankedEnds): Caution[] {
  const few = samples.filter(({ leftOut }) => leftOut === 'few-cells');
  const flat = samples.filter(({ leftOut }) => leftOut === 'no-spread');
  if (few.length + flat.length === 0) return [];
  const words = few.map(({ name, high, low }) => `${name} (${high.cells} and ${low.cells})`);
  const reasons = [
    ...(few.length > 0
      ? [`with fewer than ${minCells} cells in an end: ${listedNames(words, maxNamesListed)}`]
      : []),
    ...(flat.length > 0
      ? [
          `with the same value in all cells: ${listedNames(
            flat.map(({ name }) => name),
            maxNamesListed,
          )}`,
        ]
      : []),
  ];
  const left = [...few, ...flat];
  return [
    {
      code: 'samples-without-ends',
      message: `Samples left out ${reasons.join('; ')}. Lower the minimum, or choose a larger share.`,
      numbers: {
        minimumCells: minCells,
        samples: left.slice(0, maxNamesListed).map(({ name }) => name),
        sampleCount: left.length,
      },
    },
  ];
}

function tiedCells(ends: RankedEnds): Caution[] {
  const { title, share } = ends;
  return (['low', 'high'] as const).flatMap((side): Caution[] => {
    const { cells, share: actual, tied } = endCount(ends, side);
    if (!(tied > cells / 2)) return [];
    const end = side === 'low' ? 'lowest' : 'highest';
    const isZero = side === 'low' && comparedSamples(ends).every(({ low }) => low.bound === 0);
    const what = isZero ? `the cells without ${title}` : `cells of one value of ${title}`;
    return [
      {
        code: side === 'low' ? 'low-end-tied' : 'high-end-tied',
        message: `The ${end} end is ${tied < cells ? 'mostly ' : ''}${what}: ${tied < cells ? `${countText(tied)} of its ${countText(cells)}` : `all ${countText(cells)}`} are tied, so it has ${percentText(actual)} of all cells instead of ${share} %. Interpret it as ${isZero ? 'cells with it against cells without' : 'that value against the others'}.`,
        numbers: { cells, tied, share: actual, asked: share / 100 },
      },
    ];
  });
}

/** If tied values reach from one end into the other, the end holds only the cells beyond them. */
function shortEnds(ends: RankedEnds): Caution[] {
  const compared = comparedSamples(ends);
  return (['high', 'low'] as const).flatMap((side): Caution[] => {
    const short = compared.filter((sample) => sample[side].cells < sample.wanted);
    if (short.length === 0) return [];
    const { cells, share } = endCount(ends, side);
    const [end, other] = side === 'high' ? ['highest', 'lowest'] : ['lowest', 'highest'];
    const where = ends.sampleColumn
      ? ` in ${short.length === compared.length ? 'all' : `${countText(short.length)} of`} ${countText(compared.length)} samples`
      : '';
    return [
      {
        code: side === 'high' ? 'high-end-short' : 'low-end-short',
        message: `The ${end} end has fewer cells than ${ends.share} %${where}, ${countText(cells)} or ${percentText(share)} in all, as cells tied with the ${other} end cannot be in it. Choose a smaller share.`,
        numbers: { cells, share, samples: short.length },
      },
    ];
  });
}

/** Cells are chosen by expression, so genes associated with the ranking differ because of it. */
function association({ untested, rankedBy }: RankedEnds): Caution {
  const genes =
    untested.length === 0
      ? ''
      : ` ${untested.length === 1 ? `${untested[0]!.symbol} itself is` : `The ${countText(untested.length)} genes of the score are`} in the table and not tested, as ${pluralWord(untested.length, 'it', 'they')} chose the cells.`;
  return {
    code: 'ends-by-ranking',
    message: `Cells were chosen by ${rankedBy}: genes correlated with it differ, which does not show causes.${genes}`,
    numbers: { untested: untested.length },
  };
}

function withoutSamples(ends: RankedEnds): Caution[] {
  if (ends.sampleColumn) return [];
  const cells = endCount(ends, 'high').cells + endCount(ends, 'low').cells;
  return [
    {
      code: 'ranked-over-all-cells',
      message: `${countText(cells)} cells were ranked together and count as replicates, as no sample column is known: the ends may differ by samples. Choose the column of samples.`,
      numbers: { cells },
    },
  ];
}

function notRanked({ withoutValue, withoutSample, sampleColumn }: RankedEnds): Caution[] {
  if (withoutValue + withoutSample === 0) return [];
  const words = [
    ...(withoutValue > 0 ? [`${cellsText(withoutValue)} without a value to rank by`] : []),
    ...(withoutSample > 0
      ? [`${cellsText(withoutSample)} without a value in ${sampleColumn?.column ?? ''}`]
      : []),
  ];
  return [
    {
      code: 'cells-not-ranked',
      message: `Not ranked, and in no end: ${words.join(', ')}. Check that they are not all of one type.`,
      numbers: { withoutValue, withoutSample },
    },
  ];
}

function cellsText(count: number): string {
  return plural(count, 'cell');
}
