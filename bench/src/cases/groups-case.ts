import { type BenchCase, sizeOf } from '../bench-context.ts';
import { genesToDraw } from '../data/generated-file.ts';
import { mebibyte } from '../measure/child.ts';
import type { Result } from '../measure/result.ts';
import { openAnalysisPeer, openAnalysisServer } from '../server/analysis-contenders.ts';

// Twenty clusters; of the genes only those that are drawn matter.
const defaultSize = { cells: 1_000_000, genes: 500 };

const figures = [
  { kind: 'gene-dot-plot', name: 'dot plot', genes: 50, peer: 'dotplot', limit: 1000 },
  { kind: 'stacked-violin', name: 'stacked violin', genes: 20, peer: 'stacked_violin', limit: 1000 },
  { kind: 'matrix-plot', name: 'matrix plot', genes: 50, peer: 'matrixplot', limit: 1000 },
  { kind: 'heatmap', name: 'heatmap of cells', genes: 100, peer: 'heatmap', limit: 300 },
] as const;

export const groupsCase: BenchCase = {
  name: 'groups',
  title: 'genes by 20 groups as PNG, and labels changed, over HTTP; peer: scanpy.pl and savefig, warm',
  async run(context) {
    const { options, report } = context;
    const dataset = await context.imported(sizeOf(options, defaultSize));
    const rounds = options.repeat ?? 5;
    const server = await openAnalysisServer(dataset);
    const peer = await openAnalysisPeer(context, dataset);
    try {
      const results: Result[] = [];
      for (const { kind, name, genes: count, peer: plot, limit } of figures) {
        report(`  ${name}`);
        const ours: number[] = [];
        const theirs: number[] = [];
        const all = genesToDraw(dataset.model, count + rounds);
        for (let round = 0; round <= rounds; round++) {
          // Never the same figure twice; the first warms up.
          const genes = all.slice(round, round + count);
          const source = { dataset_filename: dataset.id, content: { kind, genes, by: { column: 'leiden' } } };
          const { milliseconds } = await server.client.call('render-figure', { source, format: 'png' });
          const of = await peer?.time({ do: 'plot', plot, genes });
          if (round === 0) continue;
          ours.push(milliseconds);
          if (of !== undefined) theirs.push(of);
        }
        results.push({
          quantity: `${name}, ${count} genes`,
          unit: 'ms',
          ours,
          ...(theirs.length > 0 && { peer: theirs }),
          target: { kind: 'median-at-most', limit },
        });
      }
      report('  labels');
      results.push(...(await relabelled(server.client, dataset.id, rounds)), {
        quantity: 'peak memory',
        unit: 'MiB',
        ours: [server.peak() / mebibyte],
        ...(peer && { peer: [peer.peak() / mebibyte] }),
      });
      return {
        results,
        notes: [
          `${dataset.size.cells} cells; genes in memory after the first round, as the peer has all of them`,
          'scanpy draws every cell of a heatmap, ours 2,000 of them; scanpy has X as CSR, as read_h5ad gives it',
        ],
      };
    } finally {
      await server.close();
      await peer?.close();
    }
  },
};

interface Labels {
  readonly id: string;
  readonly revision: number;
  readonly groups: readonly { readonly name: string }[];
}

/** Merges and renames groups of an annotation, which rewrites every label of the merged groups. */
async function relabelled(
  client: { call(path: string, body: object): Promise<{ milliseconds: number; answer: object }> },
  id: string,
  rounds: number,
): Promise<Result[]> {
  const path = `datasets/${encodeURIComponent(id)}/annotations`;
  let labels = (await client.call(path, { name: 'Bench', from: 'leiden' })).answer as Labels;
  const change = async (of: object): Promise<number> => {
    const body = { revision: labels.revision, change: of };
    const { milliseconds, answer } = await client.call(`annotations/${labels.id}/changes`, body);
    labels = answer as Labels;
    return milliseconds;
  };
  const merged: number[] = [];
  const renamed: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = labels.groups;
    const merging = await change({ change: 'merge', groups: [a!.name, b!.name], name: `merged ${round}` });
    const renaming = await change({ change: 'rename', group: `merged ${round}`, name: `renamed ${round}` });
    if (round === 0) continue;
    merged.push(merging);
    renamed.push(renaming);
  }
  const row = (quantity: string, ours: number[]): Result => ({
    quantity,
    unit: 'ms',
    ours,
    target: { kind: 'median-at-most', limit: 100 },
  });
  return [row('two groups of labels merged', merged), row('a group of labels renamed', renamed)];
}
