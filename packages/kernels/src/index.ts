export {
  engine,
  fixedMemory,
  kernelOf,
  type KernelOnMemory,
  type WasmMemory,
  type WasmModule,
} from './engine.ts';
export { listPoints, type ListedPoints } from './listed-points.ts';
export {
  blendModule,
  componentsModule,
  crc32cModule,
  diffuseModule,
  leidenModule,
  nearModule,
  rankModule,
  sumsModule,
  tallyModule,
  umapModule,
} from './modules.ts';
export {
  evenStarts,
  joinNearestCells,
  type NearestCells,
  nearestCells,
  type Neighbours,
} from './nearest-cells.ts';
export {
  sampledNeighbours,
  type SampledNeighbours,
  nearestInLists,
  placesOfChunk,
  recallOf,
  requiredMatches,
} from './near-in-lists.ts';
export { leafSize, type PlacedPoints, placePoints, pointAt } from './placed-points.ts';
