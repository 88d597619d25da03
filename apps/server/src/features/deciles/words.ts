import { countText, percentText, listedNames } from '@cellfolio/model';
import { comparedSamples, endCount, type RankedEnds, type RankedSample } from './ranked-ends.ts';

const maxNamesListed = 200;

export function endLines(ends: RankedEnds): string[] {
  const { rankedBy, share, sampleColumn, untested, composition, groupColumn, minCells } = ends;
  const where = sampleColumn ? ` within each sample (${sampleColumn.column})` : '';
  const words = (side: 'high' | 'low') => {
    const { cells, share: part, tied } = endCount(ends, side);
    return `${countText(cells)} cells, ${percentText(part)} of those ranked, ${countText(tied)} of them tied with the last one taken`;
  };
  return [
    `Cells: ranked by ${rankedBy}${where}; each end has ${share} % of the cells of a sample and all that are tied with the last one taken; a value that reaches into both ends belongs to the end whose extreme it is`,
    `Ends: A, the highest, ${words('high')}; B, the lowest, ${words('low')}`,
    ...(sampleColumn ? [sampleLine(ends)] : []),
    ...(sampleColumn ? [`Samples of fewer than ${minCells} cells in an end were left out`] : []),
    ...(composition && groupColumn !== undefined
      ? [
          `Composition of the ends by ${groupColumn}: total variation distance ${composition.distance.toFixed(3)}`,
        ]
      : []),
    ...(untested.length > 0
      ? [
          `Not tested, as they chose the cells: ${listedNames(
            untested.map(({ symbol }) => symbol),
            maxNamesListed,
          )}`,
        ]
      : []),
  ];
}

function sampleLine(ends: RankedEnds): string {
  const sample = ({ name, cells, high, low }: RankedSample) =>
    `${name} (${countText(high.cells)} and ${countText(low.cells)} of ${countText(cells)})`;
  const compared = comparedSamples(ends).map(sample);
  const left = ends.samples.filter(({ leftOut }) => leftOut !== undefined).map(sample);
  return `Highest and lowest cells by sample: ${listedNames(compared, maxNamesListed)}${left.length > 0 ? `; left out: ${listedNames(left, maxNamesListed)}` : ''}`;
}
