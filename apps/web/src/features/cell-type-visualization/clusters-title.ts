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
