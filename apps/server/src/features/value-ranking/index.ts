export { comparedSamples, endCount, type RankedEnds, type RankedSample } from './ranked-ends.ts';
export { requirePairs } from './refusals.ts';
export { type EndSides, ValueRanking } from './value-ranking.ts';
