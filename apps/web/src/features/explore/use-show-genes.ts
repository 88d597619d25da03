import { sayExisting } from '@/components/plot-run.tsx';
import { toast } from '@/components/ui/toast.ts';
import { failureNotice } from '@/lib/call-failure.ts';
import { nameList } from '@/lib/format.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import type { PlotKind, useExplorerImages } from './explorer-images.ts';
import type { usePlotCalls } from './panels/plot-calls.ts';
import { revealViewer } from './panel-reveals.ts';
import { generatedText } from './panels/run-outcome.tsx';

/** Plans only new plots: the same dataset, disease, subset and plot kind give the same image. */
export function planGenePlots(
  genes: readonly string[],
  kinds: readonly PlotKind[],
  exists: (gene: string, kind: PlotKind) => boolean,
) {
  const done = genes.filter((gene) => kinds.every((kind) => exists(gene, kind)));
  return { wanted: genes.filter((gene) => !done.includes(gene)), done };
}

const failed = 'Failed to generate gene UMAP plots. Please try again.';

interface ShowGenesOptions {
  calls: Pick<ReturnType<typeof usePlotCalls>, 'gene'>;
  images: Pick<ReturnType<typeof useExplorerImages>, 'gene'>;
  add: (genes: readonly string[]) => void;
}

/** @returns a function that draws genes on the map of the active cells, and says why it failed */
export function useShowGenes({ calls, images, add }: ShowGenesOptions) {
  return async (genes: readonly string[]): Promise<Error | undefined> => {
    revealViewer();
    add(genes);
    const kinds = ['umap'] as const;
    const { wanted, done } = planGenePlots(genes, kinds, await images.gene.existing(genes, kinds));
    if (wanted.length === 0) {
      sayExisting(done, images.gene.onExisting(done, kinds));
      return undefined;
    }
    const drawn = calls.gene.mutateAsync(
      { genes: wanted, violin_plot: false },
      {
        onSuccess: (answer) => {
          toast.dismiss(failed);
          const count = images.gene.onGenerated(answer, done, kinds);
          const others = [
            ...(done.length > 0
              ? [`${nameList(done)}: already drawn; see the library below the viewer.`]
              : []),
            ...(answer.not_found_genes.length > 0
              ? [`Not in the dataset: ${nameList(answer.not_found_genes)}.`]
              : []),
          ];
          toast.success('Gene UMAP Generated', {
            description: [generatedText(count, answer.found_genes), ...others].join(' '),
          });
        },
        onError: (error) => {
          if (!isCancelled(error))
            toast.error('Error', { id: failed, description: failureNotice(error, failed) });
        },
      },
    );
    return drawn.then(
      () => undefined,
      (error: Error) => error,
    );
  };
}
