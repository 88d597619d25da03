export { endInputs } from './decile-analysis.ts';
export { ValueRanking } from './value-ranking.ts';
