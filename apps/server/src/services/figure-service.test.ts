import { expect, test } from 'vitest';
import type { DrawnFigure, Task } from '../compute/task.ts';
import { FigureService } from './figure-service.ts';

const figure: DrawnFigure = { png: new Uint8Array(100), width: 1, height: 1, spec: {} };
const task = (row: number, version = 'v1'): Task => ({
  kind: 'gene-umap',
  dataset: { id: 'd', version },
  row,
});

function counting() {
  const drawn: Task[] = [];
  const pool = { run: async (asked: Task) => (drawn.push(asked), figure) };
  return { drawn, pool };
}

test('identical concurrent figures are drawn once, and later ones come from the cache', async () => {
  const { drawn, pool } = counting();
  const figures = new FigureService(pool, 1_000_000);
  await Promise.all([figures.draw(task(1)), figures.draw(task(1))]);
  await figures.draw(task(1));
  expect(drawn).toHaveLength(1);
});

test('another gene, kind or dataset version is another figure', async () => {
  const { drawn, pool } = counting();
  const figures = new FigureService(pool, 1_000_000);
  await figures.draw(task(1));
  await figures.draw(task(2));
  await figures.draw(task(1, 'v2'));
  await figures.draw({ ...task(1), kind: 'gene-violin' } as Task);
  expect(drawn).toHaveLength(4);
});

test('without a cache every figure is drawn anew', async () => {
  const { drawn, pool } = counting();
  const figures = new FigureService(pool, 0);
  await figures.draw(task(1));
  await figures.draw(task(1));
  expect(drawn).toHaveLength(2);
});
