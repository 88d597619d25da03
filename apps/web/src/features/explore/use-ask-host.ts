import type { FigureContent } from '@cellfolio/contract';
import type { AskHost, RunnableStep, StepEnd } from '@/features/ask/index.ts';
import { declaredAnalysis } from '@/features/declarations/index.ts';
import { defaultCard } from '@/features/map/index.ts';
import { useApplyGroup } from '@/features/subsets/index.ts';
import { isCancelled } from '@/lib/use-cancellable-call.ts';
import { drawnImage, identityOf, missingMap } from './explorer-images.ts';
import { revealViewer } from './panel-reveals.ts';
import type { Exploration } from './use-exploration.ts';

/** Runs the steps of plans by the calls of the panels. */
export function useAskHost(exploration: Exploration): AskHost {
  const { analysis, index, draftKey, calls, runs, genes, scopes, images, activeSubset, onReload } =
    exploration;
  const { applyGroup } = useApplyGroup(activeSubset, onReload);
  const { filter } = scopes.active;

  const draw = async (content: FigureContent, cells: RunnableStep['cells']): Promise<Error | undefined> => {
    revealViewer();
    const scope =
      cells === undefined
        ? scopes.active
        : { ...scopes.whole, subsetGroupName: cells.name, filter: cells.filter, cellCount: null };
    if (cells !== undefined) scopes.addCells({ id: null, ...cells });
    const { source } = identityOf(scope, content);
    if (!source) return undefined;
    return calls.contents
      .mutateAsync(
        { sources: [source] },
        {
          onSuccess: (figures) =>
            void images.take(figures.map((one) => drawnImage(scope, one.source, one.imageUrl))),
        },
      )
      .then(
        () => undefined,
        (error: Error) => error,
      );
  };
  const failureOf = async (step: RunnableStep): Promise<Error | undefined> => {
    const { cells } = step;
    if (!('content' in step)) {
      const module = declaredAnalysis({ id: step.analysis });
      return runs.runStep(module, module.form.textsOf?.(step.request) ?? {}, analysis, cells);
    }
    const { content } = step;
    if (cells === undefined && content.kind === 'gene-umap') return exploration.drawGenes([content.gene]);
    if (cells === undefined && content.kind === 'obs-umap') return colorMap(exploration, content);
    return draw(content, cells);
  };
  return {
    analysis,
    index,
    draftKey,
    run: async (step): Promise<StepEnd> => {
      if (activeSubset.isApplying)
        return new Error('The cells are still being chosen. Run the step again in a moment');
      try {
        const error = await failureOf(step);
        return error === undefined ? 'done' : isCancelled(error) ? 'canceled' : error;
      } catch (error) {
        return error as Error;
      }
    },
    cancel: () => {
      runs.running?.onCancel();
      for (const call of [calls.gene, calls.contents]) if (call.isPending) call.cancel();
    },
    model: {
      cells: filter === null ? undefined : { subset: filter },
      colorMap: (content) => void colorMap(exploration, content),
    },
    formOf: (step) => {
      const { cells } = step;
      if ('content' in step) {
        const { content } = step;
        if (content.kind !== 'gene-umap') return undefined;
        return () => {
          genes.add([content.gene]);
          genes.toSearch();
        };
      }
      const module = declaredAnalysis({ id: step.analysis });
      return () => {
        // The form is of the active cells.
        if (cells !== undefined) void applyGroup({ id: null, ...cells });
        runs.prepare(module, { ...module.form.defaults, ...module.form.textsOf?.(step.request) });
      };
    },
  };
}

/** Colors the map of the whole dataset, as the command palette does. */
export function colorMap(
  { analysis, filename, mapStores, library }: Exploration,
  content: Extract<FigureContent, { kind: 'obs-umap' | 'gene-umap' }>,
): Error | undefined {
  const missing = missingMap(analysis);
  if (missing !== undefined) return new Error(missing);
  revealViewer();
  mapStores(filename).setLook(defaultCard, { content, hidden: undefined, range: undefined, log: undefined });
  library.show([defaultCard]);
  return undefined;
}
