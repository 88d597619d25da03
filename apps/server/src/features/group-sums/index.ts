export { type AllGroups, allGroups, crossedName, type NamedCells, type Stratum } from './found-groups.ts';
export {
  checkGroups,
  depthSets,
  type GroupQuestion,
  keyOf,
  type SummedStratum,
  SumsOfGroups,
} from './sums-of-groups.ts';
