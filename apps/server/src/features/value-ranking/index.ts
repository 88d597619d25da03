export { endInputs } from './end-inputs.ts';
export { endsRecord } from './ends-record.ts';
export { requirePairs } from './refusals.ts';
export { type EndSides, ValueRanking } from './value-ranking.ts';
