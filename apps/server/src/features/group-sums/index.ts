export { comparedGroups } from './compared-groups.ts';
export { depthSets, SumsOfGroups } from './sums-of-groups.ts';
