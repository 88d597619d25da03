import type { Times } from './measure-ours.ts';
import { SeededBits } from '../data/seeded-bits.ts';
import { clusterCount, longestTask, otherColouring, type PageCells } from './page-cells.ts';

interface Scatterplot {
  draw(points: Columns): Promise<void>;
  view(matrix: Float32Array): void;
  subscribe(event: 'drawing' | 'select', listener: (event: never) => void, times?: number): void;
  lassoSelect(corners: [number, number][], options: { isGl: boolean }): void;
  deselect(): void;
  destroy(): void;
}

type Columns = Readonly<Record<'x' | 'y' | 'z', Float32Array>>;
export type CreateScatterplot = (options: Record<string, unknown>) => Scatterplot;

const size = { width: 700, height: 600 };

/** Input of the peer, not measured: x and y from -1 to 1, z the category. */
export function peerColumns({ cells, positions, clusters }: PageCells): Columns {
  const axis = (offset: number) =>
    Float32Array.from({ length: cells }, (_, cell) => (positions[2 * cell + offset]! / 65_535) * 2 - 1);
  return { x: axis(0), y: axis(1), z: Float32Array.from(clusters) };
}

export async function openPeer(create: CreateScatterplot, columns: Columns) {
  const canvas = Object.assign(document.createElement('canvas'), size);
  canvas.style.cssText = `display: block; width: ${size.width}px; height: ${size.height}px`;
  document.body.prepend(canvas);
  const random = new SeededBits(11);
  const scatterplot = create({
    canvas,
    ...size,
    pointSize: 1,
    opacity: 1,
    colorBy: 'valueA',
    pointColor: Array.from({ length: clusterCount }, () => [
      random.uniform(),
      random.uniform(),
      random.uniform(),
      1,
    ]),
  });
  await scatterplot.draw(columns);
  finish(canvas);
  return { scatterplot, canvas };
}

/** Reads back a pixel to wait for the GPU. */
function finish(canvas: HTMLCanvasElement): void {
  canvas.getContext('2d')?.getImageData(0, 0, 1, 1);
}

export async function measurePeer(
  create: CreateScatterplot,
  cells: PageCells,
  { rounds }: { rounds: number },
): Promise<Times> {
  const columns = peerColumns(cells);
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const { scatterplot, canvas } = await openPeer(create, columns);
    first.push(performance.now() - start);
    scatterplot.destroy();
    canvas.remove();
  }
  const { scatterplot, canvas } = await openPeer(create, columns);
  const recolour: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const z = Float32Array.from(otherColouring(cells.clusters, round + 1));
    const start = performance.now();
    await scatterplot.draw({ ...columns, z });
    finish(canvas);
    recolour.push(performance.now() - start);
  }
  const moving: number[] = [];
  for (let round = 0; round < rounds; round++) moving.push(await movedTime(scatterplot, canvas, round + 1));
  const hover = hoverTimes(canvas, rounds);
  const lasso = await lassoTimes(scatterplot, cells, rounds);
  const start = performance.now();
  const beside = await openPeer(create, {
    ...columns,
    z: Float32Array.from(otherColouring(cells.clusters, 19)),
  });
  const second = [performance.now() - start];
  beside.scatterplot.destroy();
  const blocked = await longestTask(async () => {
    for (let frame = 0; frame < 10; frame++) await movedTime(scatterplot, canvas, frame);
  });
  scatterplot.destroy();
  // It draws all cells in every frame.
  return { first, second, recolour, moving, rest: moving, hover, ...lasso, panBlocked: [blocked] };
}

async function movedTime(scatterplot: Scatterplot, canvas: HTMLCanvasElement, step: number): Promise<number> {
  const start = performance.now();
  const nextDrawing = new Promise<void>((resolve) => scatterplot.subscribe('drawing', () => resolve(), 1));
  scatterplot.view(Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.01 * step, 0, 0, 1));
  await nextDrawing;
  finish(canvas);
  return performance.now() - start;
}

function hoverTimes(canvas: HTMLCanvasElement, rounds: number): number[] {
  const random = new SeededBits(5);
  const { left, top } = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new MouseEvent('mouseenter'));
  return Array.from({ length: rounds }, () => {
    const times = 20;
    const start = performance.now();
    for (let time = 0; time < times; time++) {
      const [clientX, clientY] = [left + size.width * random.uniform(), top + size.height * random.uniform()];
      window.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY }));
    }
    return (performance.now() - start) / times;
  });
}

async function lassoTimes(scatterplot: Scatterplot, { cells, lasso: polygon }: PageCells, rounds: number) {
  const corners = Array.from({ length: polygon.length / 2 }, (_, corner): [number, number] => [
    polygon[2 * corner]! * 2 - 1,
    polygon[2 * corner + 1]! * 2 - 1,
  ]);
  const lasso: number[] = [];
  let selected = 0;
  for (let round = 0; round < rounds; round++) {
    const selection = new Promise<number>((resolve) => {
      const listen = ({ points }: { points: readonly number[] }) => resolve(points.length);
      scatterplot.subscribe('select', listen, 1);
    });
    const start = performance.now();
    scatterplot.lassoSelect(corners, { isGl: true });
    lasso.push(performance.now() - start);
    selected = await selection;
    scatterplot.deselect();
  }
  // It runs on the main thread.
  return { lasso, lassoBlocked: lasso, selected: selected / cells };
}
