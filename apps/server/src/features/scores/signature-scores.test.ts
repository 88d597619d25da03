import type { GeneIndex, ObjectStore } from '@cellfolio/store';
import { OrthologueTables } from '../gene-sets/index.ts';
import { NamedGenes } from '../../runtime/gene-names/named-genes.ts';
import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { type GeneSetToScore, scoredGenes, SignatureScoring } from './signature-scores.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { ScoreTask, SignatureSums, SumTask } from './tasks.ts';
import { blockEntries } from '../../runtime/compute/analysis-work.ts';
import type { Selection } from '../selection/selection.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';

function indexOf(symbols: string[]): GeneIndex {
  const lower = symbols.map((symbol) => symbol.toLowerCase());
  return {
    symbols,
    ids: [],
    find: (name: string) => {
      const row = lower.indexOf(name.toLowerCase());
      return row < 0 ? undefined : row;
    },
  } as unknown as GeneIndex;
}
const names = (count: number, from = 0) => Array.from({ length: count }, (_, gene) => `G${from + gene}`);
const withoutTables = { of: async () => ({ tables: [], damaged: [] }) };
const genesOf = (index: GeneIndex, set: GeneSetToScore) => scoredGenes({ genes: index }, set, withoutTables);
const codesOf = async (foundCount: number, total: number, minimumGenes = 3) => {
  const set = { name: 'STATE', genes: names(total), state: { minimumGenes } };
  return (await genesOf(indexOf(names(foundCount)), set)).cautions.map(({ code }) => code);
};

test('a cell state has a caution below ten genes, and below half of its set', async () => {
  expect(await codesOf(9, 9)).toEqual(['few-genes']);
  expect(await codesOf(10, 20)).toEqual([]);
  expect(await codesOf(10, 21)).toEqual(['few-genes']);
  expect(await codesOf(30, 60)).toEqual([]);
});

test('a cell state is scored from the minimum on, and refused below it', async () => {
  expect(await codesOf(3, 60)).toEqual(['few-genes']);
  expect(await codesOf(1, 60, 1)).toEqual(['few-genes']);
  for (const [foundCount, minimum] of [
    [2, 3],
    [9, 10],
  ] as const) {
    await expect(codesOf(foundCount, 60, minimum)).rejects.toThrow(ApiFailure);
    await expect(codesOf(foundCount, 60, minimum)).rejects.toThrow(`At least ${minimum} are required`);
  }
});

test('symbols in another case are counted among those found, of cell states alone', async () => {
  const index = indexOf(['G0', 'g1', ...names(10, 2)]);
  const genes = names(12);
  const { cautions } = await genesOf(index, { name: 'STATE', genes, state: { minimumGenes: 3 } });
  expect(cautions).toMatchObject([
    { code: 'matched-regardless-of-case', numbers: { otherCase: 1, foundGenes: 12, example: 'g1' } },
  ]);
  expect((await genesOf(index, { name: 'mine', genes })).cautions).toEqual([]);
});

const geneCount = 1000;
const selection = { manifest: { id: 'd', version: 'v' }, subset: undefined } as Selection;
const progress: string[] = [];
const call: CallContext = {
  signal: new AbortController().signal,
  users: () => ['somebody'],
  onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
};

test('the genes of a score are summed in tasks of a block each, each on top of the one before', async () => {
  const tasks: SumTask[] = [];
  let scored: ScoreTask | undefined;
  // Each sum tells which rows are in it, in place of values of cells.
  const sums = (rows: readonly number[]): SignatureSums => {
    const summed = { sums: Float64Array.from(rows), geneCount: rows.length, missing: undefined };
    return { genes: summed, controls: summed };
  };
  const run = async (task: SumTask | ScoreTask) => {
    if (task.kind === 'score') {
      scored = task;
      return new Float64Array(1);
    }
    tasks.push(task);
    return sums([...(task.onto?.genes.sums ?? []), ...task.rows]);
  };
  const quarter = blockEntries / 4;
  const scoring = new SignatureScoring({
    compute: { threads: 2, run } as unknown as Compute,
    datasets: {
      get: async () =>
        ({ valueStarts: Float64Array.from({ length: geneCount + 1 }, (_, gene) => gene * quarter) }) as never,
    },
    means: { of: async () => Float64Array.from({ length: geneCount }, (_, gene) => gene) },
    masks: { maskOf: async () => undefined },
    orthologues: { ...withoutTables, version: async () => '' },
  });
  const genes = [3, 370, 620, 990];
  const { controlCount } = await scoring.score(selection, genes, call);
  expect(Math.max(...tasks.map(({ rows }) => rows.length))).toBe(4);
  const total = genes.length + controlCount;
  expect(total).toBeGreaterThan(50);
  // Two sequences of full blocks, but for the last of each.
  expect(tasks).toHaveLength(Math.ceil(total / 2 / 4) * 2);
  expect(progress.at(-1)).toBe(`${tasks.length}/${tasks.length}`);
  const [first, second] = scored!.parts.map(({ genes: { sums } }) => Array.from(sums));
  expect(scored!.parts).toHaveLength(2);
  const all = [...first!, ...second!];
  expect(all).toEqual([...all].sort((a, b) => a - b));
  expect(new Set(all).size).toBe(total);
  const ofSignature = tasks.flatMap(({ rows, isControl }) => [...rows].filter((_, i) => isControl[i] === 0));
  expect(ofSignature.sort((a, b) => a - b)).toEqual(genes);
});

test('genes of a signature are found by former symbols and aliases, and a caution reports it', async () => {
  const { symbols, missing, cautions } = await genesOf(
    new NamedGenes(indexOf(['MARCHF1', 'PTPRC', 'CD3E', 'ACTB', 'GAPDH'])),
    { name: 'Mine', genes: ['MARCH1', 'CD45', 'cd3e', 'NOSUCHGENE'] },
  );
  expect(symbols).toEqual(['MARCHF1', 'PTPRC', 'CD3E']);
  expect(missing).toEqual(['NOSUCHGENE']);
  expect(cautions).toEqual([
    {
      code: 'other-gene-names',
      message:
        '2 genes of Mine were matched by a former symbol or an alias: MARCH1 as MARCHF1, CD45 as PTPRC.',
      numbers: { genes: 2 },
    },
  ]);
});

describe('on a dataset of mouse genes', () => {
  const genes = indexOf(['Cd8b1', 'Gzmb', 'Trp53', 'H2-Aa', 'Klrb1c', 'Actb', 'Lyz2']);
  const orthologues = new OrthologueTables({
    list: async function* () {},
  } as unknown as ObjectStore);
  const scored = (set: GeneSetToScore) => scoredGenes({ genes }, set, orthologues);

  test('a hallmark state is of one-to-one orthologues, and no gene of the same name is taken for one', async () => {
    const human = ['CD8B', 'GZMB', 'TP53', 'KLRB1C', 'LYZ', 'GNLY', 'NKG7'];
    const state = { name: 'STATE', genes: human, state: { minimumGenes: 3 } };
    const { symbols, missing, cautions } = await scored(state);
    expect(symbols).toEqual(['Cd8b1', 'Gzmb', 'Trp53', 'Lyz2']);
    expect(missing).toEqual(['KLRB1C', 'GNLY', 'NKG7']);
    expect(cautions).toMatchObject([
      { code: 'few-genes' },
      {
        code: 'species-mapped',
        message: expect.stringContaining('2 have none: KLRB1C, GNLY. Those are left out.'),
        numbers: { dataset: 'mouse', set: 'human', mapped: 5, unmapped: 2, notInDataset: 1 },
      },
    ]);
  });

  test('a list in human symbols is mapped, with what has no orthologue by its name', async () => {
    const { symbols, missing } = await scored({
      name: 'mine',
      genes: ['CD8B', 'TP53', 'H2-Aa', 'KLRB1C', 'NOPE'],
    });
    expect([symbols, missing]).toEqual([['Cd8b1', 'Trp53', 'H2-Aa', 'Klrb1c'], ['NOPE']]);
  });

  test('a list in symbols of the mouse is taken as it is', async () => {
    const { symbols, cautions } = await scored({ name: 'mine', genes: ['Cd8b1', 'H2-Aa', 'Actb'] });
    expect([symbols, cautions]).toEqual([['Cd8b1', 'H2-Aa', 'Actb'], []]);
  });
});
