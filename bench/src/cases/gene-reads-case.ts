import { FileObjectStore, openDataset } from '@cellfolio/store';
import { type BenchCase, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';

/** What one gene costs of I/O, counted by the store itself with its cache off. */
export const geneReadsCase: BenchCase = {
  name: 'gene-reads',
  title: 'reads and bytes that one gene costs, caches off',
  async run({ options, imported }) {
    const { root, id, size, model } = await imported(sizeOf(options, { cells: 100_000, genes: 20_000 }));
    const dataset = await openDataset(new FileObjectStore(root), id, { cacheBytes: 0 });
    const opening = { ...dataset.counters };
    const reads: number[] = [];
    const bytes: number[] = [];
    for (const gene of genesToDraw(model, 200)) {
      const before = { ...dataset.counters };
      await dataset.gene(dataset.genes.find(gene)!);
      reads.push(dataset.counters.reads - before.reads);
      bytes.push((dataset.counters.bytes - before.bytes) / 1000);
    }
    return {
      results: [
        { quantity: 'reads a gene', unit: 'reads', ours: reads, target: { kind: 'each-at-most', limit: 4 } },
        { quantity: 'bytes a gene', unit: 'kB', ours: bytes },
        { quantity: 'reads to open', unit: 'reads', ours: [opening.reads] },
        { quantity: 'bytes to open', unit: 'kB', ours: [opening.bytes / 1000] },
      ],
      notes: [`${size.cells} cells × ${size.genes} genes`],
    };
  },
};
