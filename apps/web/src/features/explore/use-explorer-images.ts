import type {
  FigureContent,
  GenePlot,
  PlotIsolatedCellTypesAnswer,
  PlotUmapWithGenesAnswer,
} from '@cellfolio/contract';
import { useEffect, useRef } from 'react';
import type { GeneratedImage, ImageLibrary } from '@/features/images/index.ts';
import type { GeneratedCount } from './panels/generated-text.ts';
import type { PlotKind } from './panels/plan-gene-plots.ts';
import type { ImageScope } from './explorer-images.ts';
import { cellTypeImages, geneContent, genePlotImages, identityOf } from './explorer-images.ts';

/** What the panels ask of the library: is it there, take it in, show it. All on the cells that are active now. */
export function useExplorerImages(library: ImageLibrary, scope: ImageScope) {
  // A run ends in the render it began in; what came into the library meanwhile counts all the same.
  const latest = useRef(library);
  useEffect(() => {
    latest.current = library;
  }, [library]);

  const find = (content: FigureContent) => latest.current.find(identityOf(scope, content));
  const has = (content: FigureContent) => library.find(identityOf(scope, content)) !== undefined;
  const show = (contents: readonly FigureContent[]) =>
    latest.current.show(contents.flatMap((content) => find(content)?.id ?? []));
  const take = (images: readonly GeneratedImage[]): GeneratedCount => {
    const fresh = images.filter((image) => latest.current.find(image) === undefined);
    // What is there already is brought into view instead of being kept twice.
    if (fresh.length === 0)
      latest.current.show(images.flatMap((image) => latest.current.find(image)?.id ?? []));
    return latest.current.add(fresh);
  };

  return {
    take,
    gene: {
      exists: (gene: string, kind: PlotKind) => has(geneContent(gene, kind)),
      onGenerated: ({ plots }: PlotUmapWithGenesAnswer) => take(genePlotImages(scope, plots)),
      onExisting: (genes: readonly string[], kinds: readonly PlotKind[]) =>
        show(genes.flatMap((gene) => kinds.map((kind) => geneContent(gene, kind)))),
    },
    score: {
      onGenerated: ({ plots }: { plots: readonly GenePlot[] }) => take(genePlotImages(scope, plots)),
    },
    cellType: {
      exists: {
        cellType: (name: string) => has(cellTypeContent(name)),
        clusters: (names: readonly string[]) => has(clusterContent(names)),
      },
      onGenerated: (answer: PlotIsolatedCellTypesAnswer) => take(cellTypeImages(scope, answer)),
      onExisting: (cellTypes: readonly string[], clusters: readonly string[]) =>
        show([...cellTypes.map(cellTypeContent), ...(clusters.length > 0 ? [clusterContent(clusters)] : [])]),
    },
  };
}

function cellTypeContent(cell_type: string): FigureContent {
  return { kind: 'highlight-umap', of: 'cell-type', cell_type };
}

function clusterContent(clusters: readonly string[]): FigureContent {
  return { kind: 'highlight-umap', of: 'cluster', leiden_clusters: [...clusters] };
}
