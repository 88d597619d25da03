import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { groupsOfScreen, planScreen, readBlock, screen, writeScreen } from './screen.ts';

// More than two million entries, so that there are several blocks.
const size = { cells: 20_000, genes: 1000, groups: 40, density: 0.12 };
const data = screen(size);
const groups = groupsOfScreen(data.labels, size.groups);

/** Entries of each gene in its order, as `[cell, value]` lists. */
function genesOf(blocks: typeof data.blocks) {
  return blocks.flatMap(({ starts, cells, values }) =>
    Array.from({ length: starts.length - 1 }, (_, gene) => ({
      cells: cells.subarray(starts[gene], starts[gene + 1]),
      values: values.subarray(starts[gene], starts[gene + 1]),
    })),
  );
}

test('about the given share of values is not 0, and cells of a gene rise', () => {
  expect(data.blocks.length).toBeGreaterThan(1);
  const share = data.entries / (size.cells * size.genes);
  expect(share).toBeGreaterThan(0.1);
  expect(share).toBeLessThan(0.14);
  for (const { cells, values } of genesOf(data.blocks)) {
    for (let i = 1; i < cells.length; i++)
      if (cells[i]! <= cells[i - 1]!) throw new Error('cells do not rise');
    if (!values.every((value) => value > 0)) throw new Error('a value is not positive');
  }
});

test('3.5 % of the cells are controls, and the others are shared by guides of different size', () => {
  expect(groups.names.slice(0, 2)).toEqual(['non-targeting', 'guide 1']);
  expect(groups.sizes[0]! / size.cells).toBeCloseTo(0.035, 2);
  const guides = [...groups.sizes].slice(1).sort((a, b) => a - b);
  expect(guides[0]).toBeGreaterThan(50);
  expect(guides[38]! / guides[0]!).toBeGreaterThan(3);
  expect(groups.cellCount).toBe(size.cells);
});

test('a guide knocks its gene down', () => {
  const genes = genesOf(data.blocks);
  const shareOf = (gene: number, group: number) =>
    genes[gene]!.cells.reduce((count, cell) => count + (data.labels[cell] === group ? 1 : 0), 0) /
    groups.sizes[group]!;
  const common = Array.from({ length: 39 }, (_, i) => i + 1).filter((guide) => shareOf(guide, 0) > 0.3);
  expect(common.length).toBeGreaterThan(3);
  for (const guide of common) expect(shareOf(guide, guide)).toBeLessThan(0.8 * shareOf(guide, 0));
});

test('the same seed gives the same screen', () => {
  const few = { ...size, cells: 300, genes: 20 };
  expect(screen(few)).toEqual(screen(few));
});

test('a written screen is read in blocks with the same genes, and a file that was cut is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'screen-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'screen.bin');
  await writeScreen(path, data);
  const { labels, blocks } = planScreen(path, size);
  expect(labels).toEqual(data.labels);
  const read = blocks.map((block) => readBlock(path, block));
  expect(read.map(({ firstGene }) => firstGene)).toEqual(blocks.map(({ firstGene }) => firstGene));
  expect(read.length).toBeGreaterThan(data.blocks.length);
  expect(genesOf(read)).toEqual(genesOf(data.blocks));
  await truncate(path, 12_000_000);
  expect(() => blocks.map((block) => readBlock(path, block))).toThrow('remove it, to write it again');
});
