import { clustersTitle } from '@cellfolio/plots/content';
import type { ActiveSubset } from '@/features/subsets/index.ts';
import { nameList } from '@/lib/format.ts';
import type { PlotCalls } from './exploration-card.tsx';
import type { Operation } from './loading-overlay.tsx';
import type { useSubsetPlots } from './use-subset-plots.ts';

/** The running work, for the overlay over the figures. */
export function operationsOf(
  calls: PlotCalls,
  several: ReturnType<typeof useSubsetPlots>['call'],
  activeSubset: ActiveSubset,
): Operation[] {
  const { gene, signature, cellType, cellState } = calls;
  const operations: Operation[] = [];
  if (gene.isPending) {
    operations.push(operation('Generating Gene UMAP', nameList(gene.variables?.genes ?? []), gene));
  }
  if (several.isPending) {
    const { genes = [], subsets = [] } = several.variables ?? {};
    const where = nameList(subsets.map(({ name }) => name));
    operations.push(operation('Generating Gene UMAP', `${nameList(genes)} in ${where}`, several));
  }
  if (signature.isPending) {
    operations.push(operation('Scoring Signature', signature.variables?.score_name ?? '', signature));
  }
  if (cellType.isPending) {
    const { cell_types = [], leiden_clusters = [] } = cellType.variables ?? {};
    const clusters = leiden_clusters.length > 0 ? [clustersTitle(leiden_clusters)] : [];
    const text = [...(cell_types.length > 0 ? [nameList(cell_types)] : []), ...clusters].join(', ');
    operations.push(
      operation(cell_types.length > 0 ? 'Filtering Cell Types' : 'Visualizing Clusters', text, cellType),
    );
  }
  if (cellState.isPending) {
    operations.push(operation('Visualizing Cell State', cellState.variables?.cell_state ?? '', cellState));
  }
  if (activeSubset.isApplying) {
    operations.push(operation('Applying Subset Filter', activeSubset.applying?.name ?? '', activeSubset));
  }
  return operations;
}

function operation(
  title: string,
  text: string,
  { progress, slow, cancel }: Pick<Operation, 'progress' | 'slow'> & { cancel: () => void },
): Operation {
  return { title, text, progress, slow, onCancel: cancel };
}
