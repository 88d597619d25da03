// A way in of its own: a thread that makes pieces of files need not load the library of HDF5.
export { bytesOf, columnContent, type ColumnPart } from './column-nodes.ts';
export {
  arrayBytes,
  type ArrayRequest,
  elementsOfRow,
  entryBytes,
  type EntryRequest,
  rowCount,
  type RowChoice,
} from '../carried/carried-bytes.ts';
export { type CarriedContent, displacedKey, recordKey } from '../carried/carried-content.ts';
export { type CarriedSource, entryBlocks, slicedEntries } from '../carried/carried-nodes.ts';
export { placeCarried, type PlacedElements } from '../carried/place-carried.ts';
export { safelyNamed } from './encodings.ts';
export type { UnsValue } from './h5ad-nodes.ts';
export { bytesOfType, elementBytes, TooLongForHdf5 } from './h5-messages.ts';
export { type FileLayout, type FilePart, nodeBytes, type StreamedPart } from './lay-out-file.ts';
export {
  type H5adSource,
  layOutH5ad,
  type MatrixPath,
  type StreamedH5ad,
  type StreamedMatrix,
} from './lay-out-h5ad.ts';
export { heapSizes, rowsPerHeap, stringHeaps, stringReferences } from './string-heap.ts';
