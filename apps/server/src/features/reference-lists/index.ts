export { type ChosenList, chosenList, refuseReplaced } from './chosen-list.ts';
export {
  describedLists,
  headOf,
  InvalidListName,
  type ListHead,
  ListExists,
  type ListKind,
  listWords,
  ownList,
  type ReferenceList,
  StoredLists,
} from './stored-lists.ts';
export { type MappedSymbols, mappingCautions, mapSymbols } from './symbol-mapping.ts';
