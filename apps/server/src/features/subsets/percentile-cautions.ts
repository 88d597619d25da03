import type { ValueHistogram } from '@cellfolio/analysis';
import type { Caution } from '@cellfolio/model';
import type { GenePercentiles } from '../selection/index.ts';

/** A filter by percentiles of a gene or a score, and what came of it on all cells of the dataset. */
export interface AppliedPercentiles {
  readonly part: 'gene' | 'signature';
  /** What the percentiles are of: the symbol of the gene, or words for the score. */
  readonly of: string;
  readonly range: GenePercentiles;
  readonly thresholds: readonly [number, number];
  /** Cells that the filter keeps by itself. */
  readonly kept: number;
  readonly histogram: ValueHistogram;
}

/** More cells than asked for by this share of all, and the filter does not do what its percentiles say. */
const toleratedExcess = 0.01;

/**
 * Says where a range does not keep the share of cells that its percentiles suggest: both of its ends are one value, or
 * an end is the value of many cells, which are then all kept. In sparse data that value is mostly 0.
 */
export function percentileCautions(applied: AppliedPercentiles): Caution[] {
  const { part, of, range, thresholds, kept, histogram } = applied;
  const { zeros, positive, counts } = histogram;
  const [low, high] = thresholds;
  const expressing = range.among === 'expressing';
  const cells = expressing ? positive : zeros + counts.reduce((sum, count) => sum + count, 0);
  const whose = expressing ? 'expressing cells' : 'cells';
  const asked = ((range.max - range.min) / 100) * (cells - 1) + 1;
  const percentiles = `Percentiles ${range.min} to ${range.max} of ${of}`;
  const atZero = low === 0 || high === 0;
  const numbers = {
    filter: part,
    minimumPercentile: range.min,
    maximumPercentile: range.max,
    low,
    high,
    cellsKept: kept,
    cells,
    zeros,
  };
  const zeroCells = `${shareText(zeros, cells, whose)} ${part === 'gene' ? 'do not express it' : 'have a score of exactly 0'}`;
  const advice =
    part === 'gene' && atZero ? ' Percentiles among expressing cells compare levels of expression.' : '';
  if (low === high) {
    const why =
      low === 0
        ? `${zeroCells}, and the filter keeps exactly these.`
        : `the filter keeps the ${shareText(kept, cells, whose)} that have exactly this value.`;
    return [
      {
        code: 'range-ends-coincide',
        message: `${percentiles} are both ${valueText(low)}: ${why}${advice}`,
        numbers,
      },
    ];
  }
  if (kept - asked <= toleratedExcess * cells) return [];
  const why = atZero
    ? `${low === 0 ? 'the lower' : 'the upper'} end is 0, ${zeroCells}, and the ends of the range are included.`
    : `many cells have exactly the value of an end (${valueText(low)} or ${valueText(high)}), and the ends of the range are included.`;
  return [
    {
      code: 'range-holds-ties',
      message: `${percentiles} ask for ${percentText(range.max - range.min)} of the ${whose}, but the filter keeps ${shareText(kept, cells, whose)}: ${why}${advice}`,
      numbers: { ...numbers, percentAsked: range.max - range.min, percentKept: (kept / cells) * 100 },
    },
  ];
}

function shareText(part: number, whole: number, noun: string): string {
  const share = whole === 0 ? 0 : (part / whole) * 100;
  return `${part.toLocaleString('en')} of ${whole.toLocaleString('en')} ${noun} (${percentText(share)})`;
}

/** A share of more than nothing is not 0, one of less than all not 100. */
function percentText(percent: number): string {
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  return `${Number(percent.toFixed(1))} %`;
}

function valueText(value: number): string {
  return String(Number(value.toPrecision(4)));
}
