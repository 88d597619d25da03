// A way in of its own: a thread that makes pieces of files need not load the library of HDF5.
export { bytesOf, columnContent, type ColumnPart } from './column-nodes.ts';
export { safelyNamed } from './encodings.ts';
export { elementBytes, TooLongForHdf5 } from './h5-messages.ts';
export type { FileLayout, FilePart, StreamedPart } from './lay-out-file.ts';
export {
  type H5adSource,
  layOutH5ad,
  type MatrixPath,
  type StreamedH5ad,
  type StreamedMatrix,
  type UnsValue,
} from './lay-out-h5ad.ts';
export { heapSizes, rowsPerHeap, stringHeaps, stringReferences } from './string-heap.ts';
