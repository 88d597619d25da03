import { SeededBits } from '../data/seeded-bits.ts';

/** A user of the load: a session with a dataset open, and the genes of that dataset. */
export interface LoadUser {
  readonly headers: Readonly<Record<string, string>>;
  readonly dataset: string;
  readonly genes: readonly string[];
}

/** What a call of a user asks for. */
export type Asked =
  | { readonly kind: 'gene plot'; readonly gene: string }
  /** Cells that express a gene, or all of them. */
  | { readonly kind: 'filter'; readonly gene: string | undefined }
  | { readonly kind: 'markers' }
  /** Opens the dataset, and so all of its cells. */
  | { readonly kind: 'search' };

export type CallKind = Asked['kind'];

/** Calls after which a user begins again. */
const callsInPlan = 200;
/** Of the genes of a dataset these few are asked for again and again. */
export const popularGenes = 20;

/** Of ten calls seven draw a gene (of which four fifths one of the popular few), two choose cells, and one in twenty each tests markers or looks a dataset up. */
export function planOf({ genes }: Pick<LoadUser, 'genes'>, seed: number): Asked[] {
  const bits = new SeededBits(seed);
  const drawn = new Uint32Array(1);
  const below = (limit: number): number => {
    bits.drawInto(drawn);
    return drawn[0]! % limit;
  };
  return Array.from({ length: callsInPlan }, (): Asked => {
    const choice = below(20);
    if (choice < 14) {
      return { kind: 'gene plot', gene: genes[below(5) < 4 ? below(popularGenes) : below(genes.length)]! };
    }
    if (choice < 18) {
      const gene = genes[below(popularGenes)]!;
      // Half of the time everything again, so that plots of all cells stay the rule.
      return { kind: 'filter', gene: choice < 16 ? gene : undefined };
    }
    return choice === 18 ? { kind: 'markers' } : { kind: 'search' };
  });
}

/** Method, path and body of what is asked. */
export function callOf(
  asked: Asked,
  { dataset }: Pick<LoadUser, 'dataset'>,
): { method: 'GET' | 'POST'; path: string; body?: object } {
  const post = (path: string, body: object) => ({ method: 'POST', path: `/api/${path}`, body }) as const;
  switch (asked.kind) {
    case 'gene plot':
      return post('plot-umap-with-genes', { genes: [asked.gene], violin_plot: false });
    case 'filter':
      return post(
        'filter-active-dataset',
        asked.gene === undefined
          ? { subset_group_name: 'Default' }
          : {
              subset_group_name: `Positive ${asked.gene}`,
              gene_filter: true,
              gene: { name: asked.gene, presence: 'positive' },
            },
      );
    case 'markers':
      return post('perform-marker-analysis', {
        groupby: 'cell_type',
        n_genes: 10,
        pvals_adj: 0.05,
        logfoldchanges: 0.25,
      });
    case 'search':
      return { method: 'GET', path: `/api/dataset_analysis/${encodeURIComponent(dataset)}` };
  }
}
