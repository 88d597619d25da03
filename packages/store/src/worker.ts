// What a thread that writes entries takes, and no more: the rest of this package would take it longer to load than to use.
export { StoreWriteFailed } from '@cellfolio/bytes/worker-errors';
export { addCellSums, addGeneSums, type EntrySums, mergeSums, otherGene, pairSum } from './entry-sums.ts';
export { type EntryTarget, EntryWriter, type ShardFiles } from './entry-writer.ts';
export { ShapeMismatch } from './errors.ts';
