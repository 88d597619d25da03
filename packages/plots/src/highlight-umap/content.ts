import { dataName } from '@cellfolio/model/names';
import { z } from 'zod';
import { plotContent } from '../plot-content.ts';

const kind = z.literal('highlight-umap');

/** A cell type, or clusters, on top of all other cells. */
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
 * The title of a combination of clusters: 'Cluster 3', 'Clusters 0–2, 5'. Numbers that follow each other are joined,
 * so that thirty clusters still make a title and a file name.
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
  return `${clusters.length === 1 ? 'Cluster' : 'Clusters'} ${parts.join(', ')}`;
}

function follows(a: string, b: string): boolean {
  return /^\d+$/.test(a) && /^\d+$/.test(b) && Number(b) === Number(a) + 1;
}
