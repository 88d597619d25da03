import { createHash } from 'node:crypto';
import type { PatientClient } from './patient-client.ts';

/** A question about a dataset whose answer is the same whenever it is asked. */
interface Question {
  readonly name: string;
  /** What is asked, one after the other in one tab; the last answer counts, and those of a filter. */
  readonly calls: readonly { readonly path: string; readonly json: unknown }[];
}

/** A dataset of the catalogue, and those of users by the kind of their file. */
export type Content = 'catalogue' | 'pbmc' | 'trio';

const genePlot = (gene: string, violin: boolean): Question => ({
  name: `${gene}${violin ? ' with violin' : ''}`,
  calls: [{ path: '/api/plot-umap-with-genes', json: { genes: [gene], violin_plot: violin } }],
});
const markers = (groupby: string, genes: number): Question => ({
  name: `markers of ${groupby}`,
  calls: [
    {
      path: '/api/perform-marker-analysis',
      json: { groupby, n_genes: genes, pvals_adj: 0.05, logfoldchanges: 0.25 },
    },
  ],
});
const inSubset = (name: string, filter: object, then: Question): Question => ({
  name: `${then.name} where ${name}`,
  calls: [
    { path: '/api/filter-active-dataset', json: { subset_group_name: name, ...filter } },
    ...then.calls,
    { path: '/api/filter-active-dataset', json: { subset_group_name: 'Default' } },
  ],
});

/** What there is to ask of blood, in the catalogue and of one's own. */
const blood: readonly Question[] = [
  ...['CD79A', 'CST3', 'NKG7', 'LYZ', 'CD3D', 'GZMK'].map((gene) => genePlot(gene, false)),
  genePlot('CD8B', true),
  markers('cell_type', 5),
  markers('leiden', 4),
  inSubset(
    'some B cells',
    { gene_filter: true, gene: { name: 'CD79A', presence: 'positive' } },
    genePlot('CD74', false),
  ),
];

/** What there is to ask of each dataset. */
export const questions: Readonly<Record<Content, readonly Question[]>> = {
  catalogue: blood,
  pbmc: blood,
  trio: [genePlot('GENE1', false), genePlot('GENE2', true), markers('leiden', 3)],
};

/** Asks one question in one tab about a dataset that the tab is told to open first, and digests the numbers. */
export async function ask(
  client: PatientClient,
  tab: string,
  datasetId: string,
  question: Question,
): Promise<string> {
  const headers = { 'x-session-id': tab };
  await client.json(`/api/dataset_analysis/${datasetId}`, { headers });
  const hash = createHash('sha256');
  for (const { path, json } of question.calls) {
    const answer = await client.json<unknown>(path, { method: 'POST', json, headers });
    hash.update(JSON.stringify(answer, withoutIdentity));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Which dataset it was and when it was written is another matter than what is in it. */
function withoutIdentity(key: string, value: unknown): unknown {
  return ['source', 'version', 'dataset', 'dataset_id'].includes(key) ? undefined : value;
}
