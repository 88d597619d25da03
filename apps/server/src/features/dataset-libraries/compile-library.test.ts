import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from '@cellfolio/store';
import { packStrings } from '@cellfolio/model';
import { expect, test } from 'vitest';
import { NamedGenes } from '../../runtime/gene-names/named-genes.ts';
import { computations, type ThreadDataset } from '@cellfolio/analyses/compute';
import type { DatasetLibrary } from '@cellfolio/analyses/serve';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import type { GeneSetLibraries } from '../gene-sets/gene-set-store.ts';
import { geneSetColumns, type Species } from '@cellfolio/analysis';
import { compile } from './compile-library.ts';
import type { BackgroundChoice, CompileTask } from './background-genes.ts';

interface EnrichedSets {
  terms: readonly string[];
  setSizes: Int32Array;
  overlapStarts: Int32Array;
  pValues: Float64Array;
  adjustedPValues: Float64Array;
  oddsRatios: Float64Array;
  combinedScores: Float64Array;
  queryGenes: readonly string[];
  notInBackground: readonly string[];
  notInDataset: readonly string[];
  renamed: readonly object[];
  backgroundSize: number;
}

/** As a compute thread tests a list. */
async function enrich(
  library: Pick<DatasetLibrary, 'compiled' | 'background'>,
  backgroundKey: string,
  genes: readonly string[],
  { genes: index }: Pick<Dataset, 'genes'>,
): Promise<EnrichedSets> {
  const steps = await computations.find(({ id }) => id === 'pathway')!.load();
  const { compiled, background } = library;
  const thread = {
    symbols: index.symbols,
    find: (gene: string) => index.find(gene),
    otherNames: (names: readonly string[]) => otherNamesAmong(index, names),
  } as ThreadDataset;
  return steps['enrich']!({ compiled, background, backgroundKey, genes } as never, thread) as EnrichedSets;
}

interface Row {
  term: string;
  overlap: string;
  p: number;
  adjusted: number;
  odds: number;
  combined: number;
}
/** Written by fixtures/analysis/enrichment_background_reference.py. */
const reference = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/background-reference.json'), 'utf8'),
) as {
  dataset: string[];
  expressed: string[];
  sets: Record<string, string[]>;
  query: string[];
  own: string[];
  rows: Record<BackgroundChoice['kind'], Row[]>;
};

const byName = new Map(reference.dataset.map((gene, row) => [gene, row]));
const dataset = {
  genes: {
    symbols: reference.dataset,
    ids: [packStrings(reference.dataset)],
    find: (name: string) => byName.get(name.toUpperCase()),
  },
} as unknown as Dataset;
const sets = geneSetColumns(Object.entries(reference.sets).map(([name, genes]) => ({ name, genes })));
const libraries = {
  read: async () => ({ sets, version: '1', warnings: [] }),
} as unknown as GeneSetLibraries;

const choices: readonly BackgroundChoice[] = [
  { kind: 'dataset' },
  { kind: 'expressed', rows: Int32Array.from(reference.expressed, (gene) => byName.get(gene)!).sort() },
  { kind: 'library' },
  { kind: 'own', genes: reference.own },
];

test.each(choices)('the numbers are those of gseapy with this background: $kind', async (background) => {
  const task: CompileTask = {
    kind: 'compile',
    dataset: { id: 'd', version: '1' },
    library: 'Reference',
    libraryVersion: '1',
    background,
    species: { species: 'human', by: 'symbols', matching: 60, looked: 60 },
    orthologues: [],
    damagedTables: [],
  };
  const library = await compile(task, dataset, libraries);
  const enrichment = await enrich(library, background.kind, reference.query, dataset);
  const expected = reference.rows[background.kind];
  expect(expected.length).toBeGreaterThan(2);
  expect(enrichment.terms).toEqual(expected.map(({ term }) => term));
  expected.forEach((row, i) => {
    const overlap = enrichment.overlapStarts[i + 1]! - enrichment.overlapStarts[i]!;
    expect(`${overlap}/${enrichment.setSizes[i]!}`).toBe(row.overlap);
    for (const [ours, theirs] of [
      [enrichment.pValues[i]!, row.p],
      [enrichment.adjustedPValues[i]!, row.adjusted],
      [enrichment.oddsRatios[i]!, row.odds],
      [enrichment.combinedScores[i]!, row.combined],
    ] as const) {
      expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(1e-6 * Math.abs(theirs));
    }
  });
});

/** Mouse genes whose human orthologue has the name of another mouse gene: Bar is FOO, and Foo has none. */
const mouseSymbols = ['Bar', 'Foo', 'Baz', 'Late', 'Alone'];
const pairs = [
  ['Bar', 'FOO'],
  ['Baz', 'BAZ'],
  ['Late', 'BAR'],
] as const;
const mouseByName = new Map(mouseSymbols.map((gene, row) => [gene.toUpperCase(), row]));
const mouseDataset = {
  genes: {
    symbols: mouseSymbols,
    ids: [packStrings(mouseSymbols)],
    find: (name: string) => mouseByName.get(name.toUpperCase()),
  },
} as unknown as Dataset;

test.each<[BackgroundChoice, readonly string[], readonly string[]]>([
  [{ kind: 'dataset' }, ['Bar', 'Baz'], ['Foo', 'Alone', 'ALONELY']],
  // Bar itself is not expressed, but the library has a BAR, which is Late.
  [{ kind: 'expressed', rows: Int32Array.of(2, 3) }, ['Baz'], ['Foo', 'Bar', 'Alone', 'ALONELY']],
  // ALONE is a gene of the library that no gene of the dataset is the orthologue of; ALONELY the dataset lacks.
  [{ kind: 'library' }, ['Bar', 'Baz', 'ALONELY'], ['Foo', 'Alone']],
  [{ kind: 'own', genes: ['Bar', 'Foo', 'Baz'] }, ['Bar', 'Baz'], ['Foo', 'Alone', 'ALONELY']],
])(
  'a gene without an orthologue in the background is never counted as another of its name: %j',
  async (background, expectedGenes, missing) => {
    const human = [{ name: 'set', genes: ['FOO', 'BAZ', 'BAR', 'ALONE', 'ALONELY'] }];
    const read = async () => ({ sets: geneSetColumns(human), version: '1', warnings: [] });
    const column = (place: 0 | 1) => packStrings(pairs.map((pair) => pair[place]));
    const task: CompileTask = {
      kind: 'compile',
      dataset: { id: 'm', version: '1' },
      library: 'Human',
      libraryVersion: '1',
      background,
      species: { species: 'mouse', by: 'symbols', matching: 5, looked: 5 },
      orthologues: [
        {
          from: 'mouse',
          to: 'human',
          origin: 'x.tsv',
          licence: 'CC0',
          fromSymbols: column(0),
          toSymbols: column(1),
        },
      ],
      damagedTables: [],
    };
    const library = await compile(task, mouseDataset, { read } as unknown as GeneSetLibraries);
    const { queryGenes, notInBackground, notInDataset } = await enrich(
      library,
      `mouse ${background.kind}`,
      ['Foo', 'Bar', 'Baz', 'Alone', 'ALONELY'],
      mouseDataset,
    );
    expect(queryGenes).toEqual(expectedGenes);
    expect(notInBackground).toEqual(missing);
    expect(notInDataset).toEqual(missing.filter((gene) => gene === 'ALONELY'));
  },
);

const refusalOf = (species: Species, damagedTables: readonly Species[]) =>
  compile(
    {
      kind: 'compile',
      dataset: { id: 'r', version: '1' },
      library: 'Human',
      libraryVersion: '1',
      background: { kind: 'dataset' },
      species: { species, by: 'ids', matching: 60, looked: 60 },
      orthologues: [],
      damagedTables,
    },
    dataset,
    libraries,
  ).then(
    () => 'compiled',
    (error: Error) => error.message,
  );

test('the refusal of two species says what helps: the human names of pigs, and a table that is there but damaged', async () => {
  const ofMouse = await refusalOf('mouse', ['rat']);
  expect(ofMouse).toContain('Have a table of orthologs installed (orthologues add FILE --from mouse');
  expect(ofMouse).not.toContain('species=human');
  const damaged = await refusalOf('mouse', ['human']);
  expect(damaged).toMatch(/between mouse and human is damaged: have it replaced .* --to human --replace\)/);
  expect(damaged).not.toContain('installed (');
  for (const species of ['pig', 'macaque'] as const) {
    const refused = await refusalOf(species, []);
    expect(refused).toContain('choose Human as the species of the dataset (species=human)');
    expect(refused).not.toContain('detected wrongly');
  }
});

test('sets that name genes by former symbols are tested with the genes of the dataset, and a caution reports it', async () => {
  const symbols = ['MARCHF1', 'SEPTIN7', 'CD3E', 'ACTB', 'GAPDH', 'LMNA'];
  const stored = {
    symbols,
    ids: [],
    find: (name: string) => {
      const row = symbols.indexOf(name.toUpperCase());
      return row < 0 ? undefined : row;
    },
  };
  const genes = new NamedGenes(stored);
  const old = geneSetColumns([
    { name: 'Old', genes: ['MARCH1', 'SEPT7', 'MARCHF1'] },
    { name: 'New', genes: ['MARCHF1', 'CD3E', 'ELSEWHERE'] },
  ]);
  for (const kind of ['dataset', 'library'] as const) {
    const task: CompileTask = {
      kind: 'compile',
      dataset: { id: 'd', version: '1' },
      library: 'Old',
      libraryVersion: '1',
      background: { kind },
      species: { species: 'human', by: 'symbols', matching: 6, looked: 6 },
      orthologues: [],
      damagedTables: [],
    };
    const library = await compile(
      task,
      { genes } as unknown as Dataset,
      {
        read: async () => ({ sets: old, version: '1', warnings: [] }),
      } as unknown as GeneSetLibraries,
    );
    expect(library.renamed).toEqual([
      { given: 'MARCH1', gene: 'MARCHF1' },
      { given: 'SEPT7', gene: 'SEPTIN7' },
    ]);
    const enrichment = await enrich(library, `former ${kind}`, ['march1', 'SEPTIN7'], {
      genes,
    } as unknown as Dataset);
    expect([enrichment.terms, Array.from(enrichment.setSizes)]).toEqual([
      ['New', 'Old'],
      [2 + Number(kind === 'library'), 2],
    ]);
    expect(enrichment.notInBackground).toEqual([]);
    expect(enrichment.renamed).toEqual([{ given: 'march1', gene: 'MARCHF1' }]);
    expect(enrichment.backgroundSize).toBe(kind === 'dataset' ? 6 : 4);
  }
});
