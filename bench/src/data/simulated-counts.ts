import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type SparseBlock, writeH5ad } from '@cellfolio/ingest';
import { packStrings } from '@cellfolio/model';
import { type AliasTable, aliasTable } from '@cellfolio/process';
import { categorical, geneNames } from './generated-file.ts';
import { SeededBits } from './seeded-bits.ts';
import { blockEntries } from './sparse-rows.ts';

const seed = 20_250_611;
export const simulatedGroups = 14;
/** Number of gene programs; each cell runs one in addition to those of its group, to a varying degree. */
const programCount = 8;
const maxProgramShare = 0.4;
/** Standard deviation of the natural logarithm of the genes' means. */
const logSpread = 2.3;
const [logDepth, depthSpread] = [Math.log(1800), 0.45];

interface CountsRequest {
  cells: number;
  genes: number;
}

/**
 * An .h5ad file (CSR, int32, uncompressed) of raw counts of cells in 14 groups of unequal size (obs `group`) with
 * marker genes; pairs of groups differ in few genes, and there are intermediate states. Generated unless it exists, one
 * block of cells at a time.
 */
export async function simulatedCountsFile(folder: string, request: CountsRequest): Promise<string> {
  const path = join(folder, `simulated-${request.cells}x${request.genes}.h5ad`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true });
  const groups = new Int8Array(request.cells);
  let entries = 0;
  for (const { indices } of simulatedRows(request, groups)) entries += indices.length;
  const names = Array.from({ length: simulatedGroups }, (_, group) => `group ${group}`);
  await writeH5ad(path, {
    obs: {
      rowCount: request.cells,
      indexName: '_index',
      index: packStrings(Array.from(groups, (_, cell) => `cell-${cell}`)),
      columns: new Map([['group', categorical(groups, names)]]),
    },
    var: {
      rowCount: request.genes,
      indexName: '_index',
      index: packStrings(geneNames(request.genes)),
      columns: new Map(),
    },
    obsm: [],
    X: { format: 'csr', dtype: 'int32', blocks: simulatedRows(request), valueCount: entries },
  });
  return path;
}

/** Blocks of counts; fills `groups` with the group of each cell. */
export function* simulatedRows({ cells, genes }: CountsRequest, groups?: Int8Array): Generator<SparseBlock> {
  const bits = new SeededBits(seed);
  const sources = sourcesOf(genes, bits);
  const counts = new Int32Array(genes);
  const draws = new Uint32Array(1 << 16);
  const add = (source: AliasTable, drawCount: number) => {
    const some = draws.subarray(0, drawCount);
    bits.drawInto(some);
    for (const draw of some) {
      const place = (draw / 2 ** 32) * genes;
      const gene = Math.floor(place);
      counts[place - gene < source.keep[gene]! ? gene : source.other[gene]!]!++;
    }
  };
  for (let cell = 0; cell < cells;) {
    const indices = new Int32Array(blockEntries + genes);
    const values = new Int32Array(indices.length);
    const indptr = [0];
    let end = 0;
    for (; cell < cells && end < blockEntries; cell++) {
      // The first groups have the most cells.
      const group = Math.floor(bits.uniform() ** 1.6 * simulatedGroups);
      const program = simulatedGroups + Math.floor(bits.uniform() * programCount);
      const share = maxProgramShare * bits.uniform() ** 2;
      const depth = Math.max(200, Math.round(Math.exp(logDepth + depthSpread * bits.normal())));
      add(sources[group]!, depth - Math.round(share * depth));
      add(sources[program]!, Math.round(share * depth));
      if (groups) groups[cell] = group;
      for (let gene = 0; gene < genes; gene++) {
        const count = counts[gene]!;
        if (count === 0) continue;
        indices[end] = gene;
        values[end++] = count;
        counts[gene] = 0;
      }
      indptr.push(end);
    }
    yield { indptr, indices: indices.subarray(0, end), values: values.subarray(0, end) };
  }
}

/** Sampling tables of each group, followed by those of each program. */
function sourcesOf(genes: number, bits: SeededBits): AliasTable[] {
  const means = Float64Array.from({ length: genes }, () => Math.exp(logSpread * bits.normal()));
  const raised = (from: Float64Array, count: number) => {
    const result = Float64Array.from(from);
    for (let marker = 0; marker < count; marker++)
      result[Math.floor(bits.uniform() * genes)]! *= Math.exp(1.3 + 0.5 * bits.normal());
    return result;
  };
  const groups: Float64Array[] = [];
  for (let group = 0; group < simulatedGroups; group++)
    groups.push(group % 2 === 0 ? raised(means, genes / 50) : raised(groups[group - 1]!, genes / 150));
  const programs = Array.from({ length: programCount }, () => raised(means, genes / 50));
  return [...groups, ...programs].map(aliasTable);
}
