import type { EndsRecord } from '@cellfolio/analyses';
import { groupShares } from '../../runtime/named-composition.ts';
import { comparedSamples, endCount, type RankedEnds, type RankedSample } from './ranked-ends.ts';

/** The ends as answers have them. */
export function endsRecord(ends: RankedEnds): EndsRecord {
  const { rankedBy, share, withoutValue, withoutSample, samples, untested } = ends;
  return {
    ranked_by: rankedBy,
    share,
    high: endCount(ends, 'high'),
    low: endCount(ends, 'low'),
    without_value: withoutValue,
    without_sample: withoutSample,
    samples: comparedSamples(ends).map(sampleAnswer),
    left_out: samples.flatMap((sample) =>
      sample.leftOut === undefined ? [] : [{ ...sampleAnswer(sample), reason: sample.leftOut }],
    ),
    composition: compositionAnswer(ends),
    untested: untested.map(({ symbol }) => symbol),
  };
}

function sampleAnswer({ name, cells, high, low }: RankedSample) {
  const bound = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    name,
    cells,
    high: high.cells,
    low: low.cells,
    high_from: bound(high.bound),
    low_to: bound(low.bound),
  };
}

function compositionAnswer({ composition, groupColumn: column }: RankedEnds): EndsRecord['composition'] {
  if (!composition || column === undefined || Number.isNaN(composition.distance)) return null;
  const { unlabelled, distance } = composition;
  return {
    column,
    distance,
    unlabelled: { high: unlabelled.a, low: unlabelled.b },
    groups: groupShares(composition).map(({ name, a, b, shareA, shareB }) => ({
      name,
      high: a,
      low: b,
      share_high: shareA,
      share_low: shareB,
    })),
  };
}
