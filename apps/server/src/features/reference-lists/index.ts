export { MarkerSets } from './marker-lists.ts';
export { PairSets } from './pair-lists.ts';
export { ReferenceLists } from './reference-lists.ts';
export { headOf, InvalidListName, ListExists, type StoredLists } from './stored-lists.ts';
