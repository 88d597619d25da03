import type { IntegrationRun } from './processing-record.ts';

interface MethodWords {
  name: string;
  short: string;
  /** Key of the corrected components: scanpy's for Harmony, formed likewise for the others. */
  embedding: string;
  when: string;
}

/** Methods that remove differences between batches from principal components, in the order of the menu. */
export const integrationMethods = {
  harmony: {
    name: 'Harmony',
    short: 'Harmony',
    embedding: 'X_pca_harmony',
    when: 'The usual choice: fast, and keeps types apart that only one sample has.',
  },
  mnn: {
    name: 'Mutual nearest neighbors',
    short: 'MNN',
    embedding: 'X_pca_mnn',
    when: 'Use it if Harmony leaves samples apart. It is slower, and can merge types that are each in one sample only.',
  },
} as const satisfies Record<string, MethodWords>;

export type IntegrationMethod = keyof typeof integrationMethods;

export function keptApartText(
  {
    typeColumn,
    keptBefore,
    keptAfter,
  }: { readonly typeColumn?: string | undefined; readonly keptBefore: number; readonly keptAfter: number },
  resolution: number,
): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const [neighbours, own, apart, by] =
    typeColumn === undefined
      ? [
          'the neighbors of a cell in its own sample',
          'cluster',
          'clusters',
          ` Clusters are those before integration at resolution ${resolution}: compare runs of the same resolution alone.`,
        ]
      : ['the neighbors of a cell', typeColumn, 'types', ''];
  return `Of ${neighbours}, ${percent(keptBefore)} were of its own ${own} before integration and ${percent(keptAfter)} are after; 100 % if ${apart} were fully apart.${by}`;
}

export function integrationText(run: IntegrationRun, batchColumn: string): string {
  const took = `${integrationMethods[run.method].name} took differences between the values of ${batchColumn} out of the components`;
  if (run.method === 'harmony')
    return `${took} in ${run.iterations} iterations${run.converged ? '' : ', not yet settled'}.`;
  return `${took}: ${run.neighbours} neighbors; ${run.order[0]}, which varies most, was left where it is, and ${Math.round(100 * run.paired)} % of the other cells are in a pair with a cell of another batch.`;
}
