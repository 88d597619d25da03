import type * as mapPackage from '@cellfolio/map';
import type { MapRenderer, MapView, MapWorker, Points } from '@cellfolio/map';
import { SeededBits } from '../data/seeded-bits.ts';
import { clusterCount, frameTime, longestTask, otherColouring, type PageCells } from './page-cells.ts';

type MapPackage = typeof mapPackage;

/** Milliseconds of each repetition. */
export interface Times {
  /** From arrays in memory to an image of all cells. */
  first: number[];
  recolour: number[];
  /** One frame while the map moves; `rest`: the image of all cells after that. */
  moving: number[];
  rest: number[];
  second: number[];
  hover: number[];
  lasso: number[];
  /** Longest task of the main thread during a lasso; `panBlocked`: while the map moves. */
  lassoBlocked: number[];
  panBlocked: number[];
  /** Share of the cells in the lasso. */
  selected: number;
}

const size = { width: 700, height: 600 };

export interface OurMap {
  points: Points;
  worker: MapWorker;
  renderer: MapRenderer;
  view: MapView;
  targets: CanvasRenderingContext2D[];
}

export function openOurs(map: MapPackage, cells: PageCells, engine: 'webgl' | 'cpu'): OurMap {
  const points = new map.Points(cells.positions, { morton: true, missing: 0 });
  const worker = new map.MapWorker(points);
  const renderer = new map.MapRenderer(points, { engine, worker });
  if (renderer.engine !== engine) throw new Error(`this browser has no ${engine}`);
  const random = new SeededBits(11);
  const channel = () => 255 * random.uniform();
  const colours = Array.from({ length: clusterCount }, () => [channel(), channel(), channel()] as const);
  const palette = map.slotPalette(colours.map((colour, cluster) => [cluster + 1, colour] as const));
  const layer = { slots: cells.clusters, palette };
  const background = [255, 255, 255] as const;
  const view: MapView = { camera: map.fit(), layer, ...size, density: false, background };
  const opened = { points, worker, renderer, view, targets: [] };
  addCard(opened);
  return opened;
}

export function addCard(opened: OurMap, slots = opened.view.layer.slots): void {
  const canvas = Object.assign(document.createElement('canvas'), size);
  document.body.append(canvas);
  opened.targets.push(canvas.getContext('2d', { willReadFrequently: true })!);
  paint(opened, { ...opened.view, layer: { ...opened.view.layer, slots } }, opened.targets.length - 1);
}

function closeOurs({ worker, renderer, targets }: OurMap): void {
  worker.close();
  renderer.close();
  for (const { canvas } of targets) canvas.remove();
}

/** Reads back a pixel to wait for the GPU. */
function paint({ renderer, targets }: OurMap, view: MapView, card: number): void {
  renderer.paint(view, targets[card]!);
  targets[card]!.getImageData(0, 0, 1, 1);
}

async function untilSettled(opened: OurMap, work: () => void): Promise<number> {
  const start = performance.now();
  work();
  await opened.renderer.settled();
  return performance.now() - start;
}

export async function measureOurs(
  map: MapPackage,
  cells: PageCells,
  { engine, rounds }: { engine: 'webgl' | 'cpu'; rounds: number },
): Promise<Times> {
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const opened = openOurs(map, cells, engine);
    await opened.renderer.settled();
    first.push(performance.now() - start);
    closeOurs(opened);
  }
  const opened = openOurs(map, cells, engine);
  await opened.renderer.settled();
  const second = [await untilSettled(opened, () => addCard(opened, otherColouring(cells.clusters, 19)))];
  const { view, points, renderer } = opened;
  const times = { recolour: [] as number[], moving: [] as number[], rest: [] as number[] };
  const sample = renderer.sampleWhileMoving(1);
  for (let round = 0; round < rounds; round++) {
    const slots = otherColouring(cells.clusters, round + 1);
    const recoloured = { ...view, layer: { ...view.layer, slots } };
    times.recolour.push(await untilSettled(opened, () => paint(opened, recoloured, 0)));
    const moved = { ...view, camera: map.pan(view.camera, { x: 3 * round, y: round }, size) };
    times.moving.push(await frameTime(() => paint(opened, { ...moved, sample }, 0)));
    times.rest.push(await untilSettled(opened, () => paint(opened, moved, 0)));
  }
  const hover = Array.from({ length: rounds }, (_, round) => hoverTime(points, view, round));
  const lasso = await lassoTimes(opened, cells.lasso, rounds);
  while (opened.targets.length < 4) addCard(opened);
  await renderer.settled();
  const panBlocked = [await longestTask((timed) => panFourMaps(map, opened, timed))];
  closeOurs(opened);
  return { first, second, ...times, hover, ...lasso, panBlocked };
}

function hoverTime(points: Points, { camera }: MapView, seed: number): number {
  const random = new SeededBits(seed);
  const start = performance.now();
  for (let time = 0; time < 1000; time++)
    points.nearest({ x: size.width * random.uniform(), y: size.height * random.uniform() }, camera, size, 4);
  return (performance.now() - start) / 1000;
}

async function lassoTimes({ worker, points }: OurMap, polygon: Float32Array, rounds: number) {
  // The first call starts the worker and sends the positions.
  let bits = await worker.select(polygon);
  const lasso: number[] = [];
  const blocked = await longestTask(async () => {
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      bits = await worker.select(polygon);
      lasso.push(performance.now() - start);
    }
  });
  let selected = 0;
  for (const byte of bits) for (let left = byte; left > 0; left &= left - 1) selected++;
  return { lasso, lassoBlocked: [blocked], selected: selected / points.cells };
}

/** Forty frames of samples of four linked maps, then all cells. */
async function panFourMaps(map: MapPackage, opened: OurMap, timed: number[]): Promise<void> {
  const { view, renderer, targets } = opened;
  const sample = renderer.sampleWhileMoving(targets.length);
  for (let frame = 0; frame < 40; frame++) {
    const camera = map.pan(view.camera, { x: 4 * frame, y: 2 * frame }, size);
    const step = () =>
      targets.forEach((target) => renderer.paint({ ...view, camera, sample }, target, targets.length));
    timed.push(await frameTime(step));
  }
  timed.push(
    await frameTime(() => targets.forEach((target) => renderer.paint(view, target, targets.length))),
  );
  await renderer.settled();
}
