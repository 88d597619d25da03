import { z } from 'zod';
import { plotContent } from '../plot-content.ts';
import { dataName, geneName } from '@cellfolio/model/names';
import { pluralWord } from '@cellfolio/model';
import { scoreAddress, scoreChoices, scoreNames, scorePictured } from '../scores.ts';

const titles = { 'cell type': 'Cell types', cluster: 'Clusters', none: 'All cells' } as const;

export const categoryUmapContent = plotContent({
  kind: 'category-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('category-umap') }),
  inputs: () => ({ embedding: { from: 'embedding' }, groups: { from: 'column', of: 'groups' } }),
  titles: (_content, groupedBy) => ({ title: titles[groupedBy], subtitle: 'Full dataset UMAP' }),
  imageType: () => 'default',
  address: { names: () => [], read: () => ({}) },
});

const kind = z.literal('highlight-umap');

export const highlightUmapContent = plotContent({
  kind: 'highlight-umap',
  name: 'UMAP',
  schema: z.discriminatedUnion('of', [
    z.object({ kind, of: z.literal('cell-type'), cell_type: dataName }),
    z.object({ kind, of: z.literal('cluster'), leiden_clusters: z.array(dataName).min(1).max(5000) }),
  ]),
  inputs: (content) => ({
    embedding: { from: 'embedding' },
    column:
      content.of === 'cell-type'
        ? { from: 'column', of: 'cellType', chosen: [content.cell_type] }
        : { from: 'column', of: 'cluster', chosen: content.leiden_clusters },
  }),
  titles: (content) =>
    content.of === 'cell-type'
      ? { title: content.cell_type, subtitle: 'Cell type UMAP' }
      : { title: clustersTitle(content.leiden_clusters), subtitle: 'Leiden cluster UMAP' },
  imageType: ({ of }) => (of === 'cell-type' ? 'cellType' : 'leiden'),
  address: {
    names: (content) => [
      content.of,
      ...(content.of === 'cell-type' ? [content.cell_type] : content.leiden_clusters),
    ],
    read: ([of, ...names]) =>
      of === 'cell-type' ? { of, cell_type: names[0] } : { of, leiden_clusters: names },
  },
});

/**
 * Title of a combination of clusters: 'Cluster 3', 'Clusters 0–2, 5'. Consecutive numbers are joined, so that thirty
 * clusters still make a title and a file name.
 */
export function clustersTitle(clusters: readonly string[]): string {
  const sorted = clusters.toSorted((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
  const runs: string[][] = [];
  for (const cluster of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && follows(run.at(-1) ?? '', cluster)) run.push(cluster);
    else runs.push([cluster]);
  }
  const parts = runs.flatMap((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run));
  return `${pluralWord(clusters.length, 'Cluster')} ${parts.join(', ')}`;
}

function follows(a: string, b: string): boolean {
  return /^\d+$/.test(a) && /^\d+$/.test(b) && Number(b) === Number(a) + 1;
}

export const geneUmapContent = plotContent({
  kind: 'gene-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('gene-umap'), gene: geneName }),
  inputs: ({ gene }) => ({ embedding: { from: 'embedding' }, gene: { from: 'gene', gene } }),
  titles: ({ gene }) => ({ title: gene, subtitle: 'Expression UMAP' }),
  measure: () => 'expression',
  address: { names: ({ gene }) => [gene], read: ([gene]) => ({ gene }) },
});

export const scoreUmapContent = plotContent({
  kind: 'score-umap',
  name: 'UMAP',
  schema: z.discriminatedUnion('of', [
    scoreChoices.signature.extend({ kind: z.literal('score-umap') }),
    scoreChoices.cellState.extend({ kind: z.literal('score-umap') }),
  ]),
  inputs: (score) => ({ embedding: { from: 'embedding' }, score: { from: 'score', score } }),
  titles: (score) => {
    const { title, noun } = scoreNames(score);
    return { title, subtitle: `${noun} UMAP` };
  },
  measure: () => 'score',
  cellNumbers: (score) => `Score of ${scoreNames(score).title}`,
  address: scoreAddress,
  pictured: scorePictured,
});

export const obsUmapContent = plotContent({
  kind: 'obs-umap',
  name: 'UMAP',
  schema: z.object({ kind: z.literal('obs-umap'), column: dataName }),
  inputs: ({ column }) => ({ embedding: { from: 'embedding' }, values: { from: 'obs', column } }),
  titles: ({ column }, _, titleOf) => ({ title: titleOf(column), subtitle: 'UMAP by column' }),
  address: { names: ({ column }) => [column], read: ([column]) => ({ column }) },
});
