import { expect, test } from 'vitest';
import { indexGenes } from '@/features/genes/index.ts';
import { geneSource } from '@/features/explore/explorer-commands.ts';
import { type CommandSource, listedCommands } from '@/lib/commands.ts';
import { findCommands } from './find-commands.ts';

const nothing = () => {};
const command = (id: string, label = id, keywords = '') => ({ id, label, keywords, run: nothing });
const idsOf = (sources: readonly CommandSource[], text: string, recent: readonly string[] = []) =>
  findCommands(sources, text, recent).map(({ heading, commands }) => [heading, commands.map(({ id }) => id)]);

const genes = geneSource(indexGenes(['CD3D', 'CD3E', 'MARK1', 'BCD3', 'MS4A1']), nothing);
const analyses = listedCommands('Run an analysis', [
  command('markers', 'Marker Analysis'),
  command('deg', 'DEG Analysis', 'compare'),
]);

test('genes come first where the text begins one, and last where it is only within one', () => {
  expect(idsOf([genes, analyses], 'mark')).toEqual([
    ['Draw a gene', ['gene:MARK1']],
    ['Run an analysis', ['markers']],
  ]);
  expect(idsOf([genes, analyses], 'ark')).toEqual([
    ['Draw a gene', ['gene:MARK1']],
    ['Run an analysis', ['markers']],
  ]);
  expect(idsOf([geneSource(indexGenes(['XDEG1']), nothing), analyses], 'deg')).toEqual([
    ['Run an analysis', ['deg']],
    ['Draw a gene', ['gene:XDEG1']],
  ]);
});

test('a gene is found whatever its case and by another name, and a pasted list is drawn at once', () => {
  expect(idsOf([genes], 'cd3d')[0]![1]).toEqual(['gene:CD3D']);
  const drawn: (readonly string[])[] = [];
  const source = geneSource(indexGenes(['CD3D', 'MS4A1']), (names) => drawn.push(names));
  for (const text of ['cd-3d', 'CD3D, ms4a1']) findCommands([source], text, [])[0]?.commands[0]?.run();
  expect(drawn).toEqual([['CD3D'], ['CD3D', 'MS4A1']]);
  expect(idsOf([source], 'CD3D, NOPE')).toEqual([]);
});

test('without a text recent commands come first, each once; those that are gone are left out', () => {
  expect(idsOf([genes, analyses], '', ['deg', 'gone', 'gene:CD3E'])).toEqual([
    ['Recent', ['deg', 'gene:CD3E']],
    ['Run an analysis', ['markers']],
  ]);
});

test('recent commands come first in their group, behind a command of the whole name', () => {
  const panels = listedCommands(
    'Panels',
    ['Map', 'Map of cells', 'Map of genes'].map((label) => command(label)),
  );
  expect(idsOf([panels], 'map', ['Map of genes'])).toEqual([
    ['Panels', ['Map', 'Map of genes', 'Map of cells']],
  ]);
});

test('every word of the text counts, also among keywords', () => {
  expect(idsOf([analyses], 'analysis compare')).toEqual([['Run an analysis', ['deg']]]);
  expect(idsOf([analyses], 'analysis nothing')).toEqual([]);
});

test('of 100,000 genes and as many columns at most thirty commands are listed', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `GENE${at}`);
  const sources = [
    geneSource(indexGenes(many), nothing),
    ...['a', 'b', 'c', 'd', 'e'].map((name) =>
      listedCommands(
        name,
        many.slice(0, 100).map((label) => command(`${name}:${label}`, label)),
      ),
    ),
  ];
  const groups = findCommands(sources, 'gene', []);
  expect(groups.flatMap(({ commands }) => commands)).toHaveLength(30);
  expect(Math.max(...groups.map(({ commands }) => commands.length))).toBe(8);
});
