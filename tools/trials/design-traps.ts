import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  codesAsFactor,
  designOf,
  levelContrast,
  pseudobulkTest,
  type SampleColumn,
} from '@cellfolio/analysis';
import { processingDefaults } from '@cellfolio/contract';
import { inspectH5ad, writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import { processCounts } from '@cellfolio/process';
import type { BenchCase } from '../../bench/src/bench-context.ts';
import { SeededBits } from '../../bench/src/data/seeded-bits.ts';
import { throwIfRefused } from '../../bench/src/cases/sums.ts';
import { calledIn } from './methods.ts';
import { negativeBinomial } from './simulated-donors.ts';

const seeds = 20;

export const designTrapsCase: BenchCase = {
  name: 'design-traps',
  title:
    'batches called 1, 2 and 3; normalized values rounded to whole numbers; genes that differ between batches alone',
  async run({ options, report }) {
    const count = options.repeat ?? seeds;
    const asNumbers: number[] = [];
    const asCategories: number[] = [];
    const overAll: number[] = [];
    const withinBatches: number[] = [];
    let [rounded, counts] = [0, 0];
    for (let seed = 1; seed <= count; seed++) {
      const batches = simulatedBatches(seed);
      asNumbers.push(falseGenes(batches, { kind: 'numeric', name: 'batch', values: batches.codes }));
      asCategories.push(falseGenes(batches, codesOf(batches)));
      const values = countsOfCells(seed);
      if (await isAsked(values.map(perTenThousand))) rounded += 1;
      if (await isAsked(values)) counts += 1;
      const [all, within] = await variableBatchGenes(seed);
      overAll.push(all);
      withinBatches.push(within);
      report(`  ${seed} of ${count} seeds`);
    }
    const range = (list: readonly number[]) => `${Math.min(...list)} to ${Math.max(...list)}`;
    return {
      results: [
        { quantity: 'false genes, batches as numbers', unit: 'genes', ours: asNumbers },
        { quantity: 'false genes, batches as categories', unit: 'genes', ours: asCategories },
        {
          quantity: 'genes of batches among the variable ones, chosen over all cells',
          unit: 'genes',
          ours: overAll,
        },
        { quantity: '… chosen within batches', unit: 'genes', ours: withinBatches },
      ],
      notes: [
        `Batches 1, 2 and 3: ${range(asNumbers)} of ${geneCount} genes called as numbers, ${range(asCategories)} as categories`,
        `Rounded counts per 10,000 are asked about in ${rounded} of ${count} files, raw counts in ${counts}`,
        `Of ${batchGenes} genes that differ between batches alone, ${range(overAll)} are among the variable ones over all cells, ${range(withinBatches)} within batches`,
      ],
    };
  },
};

const geneCount = 600;
const depth = 300;
/** Batch 2 is different, and has most of the treated samples. */
const sampleBatches = [2, 2, 2, 2, 2, 1, 1, 1, 3, 3, 3, 2];
const batchSpread = 1;
const sampleSpread = 0.15;

interface SimulatedBatches {
  sums: { geneCount: number; sampleCount: number; values: Float64Array };
  codes: readonly number[];
}

/** Six treated and six other samples, between which no gene differs. */
function simulatedBatches(seed: number): SimulatedBatches {
  const bits = new SeededBits(seed);
  const sampleCount = sampleBatches.length;
  const values = new Float64Array(geneCount * sampleCount);
  for (let gene = 0; gene < geneCount; gene++) {
    const level = Math.exp(bits.normal());
    const shift = Math.exp(batchSpread * bits.normal());
    sampleBatches.forEach((batch, sample) => {
      const mean = depth * level * (batch === 2 ? shift : 1) * Math.exp(sampleSpread * bits.normal());
      values[gene * sampleCount + sample] = Math.max(0, Math.round(mean + Math.sqrt(mean) * bits.normal()));
    });
  }
  return { sums: { geneCount, sampleCount, values }, codes: sampleBatches };
}

function codesOf({ codes }: SimulatedBatches): SampleColumn {
  const factor = codesAsFactor(
    { kind: 'numeric', name: 'batch', values: codes },
    { samples: codes.length, isCode: true },
  );
  if (factor === undefined) throw new Error('the batches are taken for quantities');
  return factor;
}

function falseGenes({ sums, codes }: SimulatedBatches, batch: SampleColumn): number {
  const tested = {
    kind: 'categorical',
    name: 'condition',
    categories: ['control', 'treated'],
    codes: codes.map((_, sample) => Number(sample < codes.length / 2)),
  } as const;
  const { design } = throwIfRefused(
    designOf({ tested, level: 'treated', reference: 'control', covariates: [batch] }),
  );
  const contrast = levelContrast(design, 'condition', 'treated', 'control');
  const { result } = throwIfRefused(pseudobulkTest(sums, design, [contrast]));
  return calledIn(result.tests.contrasts[0]!).length;
}

const cellCount = 300;

/** Counts of cells x genes. */
function countsOfCells(
  seed: number,
  levelOf = (_cell: number, level: number, _gene: number) => level,
): Int32Array[] {
  const bits = new SeededBits(1000 + seed);
  const levels = Float64Array.from({ length: geneCount }, () => Math.exp(-1 + 1.3 * bits.normal()));
  const draws = new Uint32Array(geneCount);
  return Array.from({ length: cellCount }, (_, cell) => {
    const size = Math.exp(0.35 * bits.normal());
    bits.drawInto(draws);
    return Int32Array.from(levels, (level, gene) =>
      negativeBinomial(draws[gene]!, size * levelOf(cell, level, gene)),
    );
  });
}

function perTenThousand(row: Int32Array): Int32Array {
  const total = row.reduce((sum, count) => sum + count, 0);
  return row.map((count) => Math.round((10_000 * count) / total));
}

/** Whether the values of a file are asked about before they are taken for counts. */
async function isAsked(rows: readonly Int32Array[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'cellfolio-traps-'));
  const path = join(folder, 'values.h5ad');
  const named = (length: number, noun: string) => ({
    rowCount: length,
    indexName: '_index',
    index: packStrings(Array.from({ length }, (_, at) => `${noun}${at}`)),
    columns: new Map(),
  });
  try {
    const blocks = [sparseRows(rows)];
    const X = { format: 'csr', dtype: 'int32', blocks, valueCount: blocks[0]!.values.length } as const;
    await writeH5ad(path, { obs: named(rows.length, 'cell'), var: named(geneCount, 'GENE'), obsm: [], X });
    return (await inspectH5ad(path)).expression.undecided;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function sparseRows(rows: readonly Int32Array[]) {
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (const row of rows) {
    row.forEach((count, gene) => {
      if (count === 0) return;
      indices.push(gene);
      values.push(count);
    });
    indptr.push(indices.length);
  }
  return { indptr, indices: Int32Array.from(indices), values: Int32Array.from(values) };
}

const batchGenes = 50;
const typeGenes = 100;
const chosen = 100;

/** Genes that differ between three batches alone, among the variable ones: chosen over all cells, and within batches. */
async function variableBatchGenes(seed: number): Promise<[number, number]> {
  const names = ['1', '2', '3'];
  const codes = Array.from({ length: cellCount }, (_, cell) => cell % names.length);
  const rows = countsOfCells(seed, (cell, level, gene) => {
    if (gene < batchGenes) return 2 * (gene % names.length === codes[cell] ? 4 : 0.5);
    if (gene < batchGenes + typeGenes) return gene % 4 === Math.floor(cell / 75) ? 3 : 0.75;
    return level;
  });
  const { deviations, ...settings } = processingDefaults;
  const variable = async (batches?: { codes: number[]; names: string[] }) => {
    // The arrays go to the thread that computes.
    const { indptr: pointers, indices, values: counts } = sparseRows(rows);
    const { variableGenes } = await processCounts(
      {
        cellCount,
        by: 'cell',
        geneNames: Array.from({ length: geneCount }, (_, gene) => `GENE${gene}`),
        blocks: [{ pointers, indices, counts }],
      },
      {
        settings: { ...settings, quality: { deviations }, variableGenes: chosen },
        parts: [],
        ...(batches && { combine: { batches } }),
      },
    );
    return variableGenes.subarray(0, batchGenes).reduce((sum, one) => sum + one, 0);
  };
  return [await variable(), await variable({ codes, names })];
}
