import { forgetDataset, type OpenedObjectStore } from '@cellfolio/store';
import type { Compute, ComputePool } from '../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../runtime/observability/observed.ts';
import { GeneSetLibraries, OrthologueTables } from '../features/gene-sets/index.ts';
import { CellExport } from '../features/export/index.ts';
import { FigureInputs, FigureService } from '../features/explore/index.ts';
import { markerInputs, MarkerTests } from '../features/markers/index.ts';
import { EnrichmentBackgrounds, enrichmentInputs, EnrichmentTests } from '../features/pathways/index.ts';
import { GeneMeans, NamedScores, SignatureScoring } from '../features/scores/index.ts';
import { CellMasks } from '../features/subsets/index.ts';

/** Everything that answers questions about the cells of a dataset. */
export interface AnalysisServices {
  readonly masks: CellMasks;
  readonly figures: FigureService;
  readonly libraries: GeneSetLibraries;
  readonly scores: NamedScores;
  readonly markerTests: MarkerTests;
  readonly enrichmentTests: EnrichmentTests;
  readonly cellExport: CellExport;
  /** How the caches of this process and of its threads are used. */
  readonly caches: () => NamedCaches;
  /** Drops all that is kept of a dataset: figures, masks, scores, results, what the threads have open of it, and what is on the disk. */
  readonly dropDataset: (datasetId: string) => Promise<void>;
  /** Lets go of what is large and soon made again: figures, masks, sums of groups, and the threads with what they have read. */
  readonly giveBack: () => Promise<void>;
}

/** Joins the analyses, each handed what it builds on. */
export function analysisServices(parts: {
  compute: Compute & Pick<ComputePool, 'forget' | 'caches' | 'renew'>;
  datasets: OpenDatasets;
  objects: OpenedObjectStore;
  figureCacheBytes: number;
}): AnalysisServices {
  const { compute, datasets, objects } = parts;
  const libraries = new GeneSetLibraries(objects);
  // A filter may need a score, and the score of a subset needs its filter's mask.
  const masks: CellMasks = new CellMasks({ compute, datasets, scoring: () => scoring });
  const means = new GeneMeans({ compute, datasets, masks });
  const scoring = new SignatureScoring({ compute, datasets, means, masks });
  const markerTests = new MarkerTests({ compute, datasets, masks });
  const enrichmentTests = new EnrichmentTests({
    compute,
    libraries,
    backgrounds: new EnrichmentBackgrounds({ datasets, means, masks }),
    orthologues: new OrthologueTables(objects),
  });
  const scores = new NamedScores({ datasets, libraries, scoring });
  const inputs = new FigureInputs({
    datasets,
    score: scores,
    markers: markerInputs({ tests: markerTests, datasets }),
    enrichment: enrichmentInputs(enrichmentTests),
  });
  const figures = new FigureService({ compute, inputs, masks }, parts.figureCacheBytes);
  const keeping = [figures, masks, means, scoring, markerTests, enrichmentTests];
  return {
    masks,
    figures,
    libraries,
    scores,
    markerTests,
    enrichmentTests,
    cellExport: new CellExport({ compute, datasets, masks, scores }),
    caches: () => [...keeping.flatMap(({ caches }) => caches), ...compute.caches(objects.cacheUse)],
    dropDataset: async (datasetId) => {
      for (const one of keeping) one.forget(datasetId);
      datasets.forgetAll(datasetId);
      await forgetDataset(objects, datasetId);
      await compute.forget(datasetId);
    },
    giveBack: async () => {
      figures.forgetAll();
      masks.forgetAll();
      markerTests.forgetStatistics();
      await compute.renew();
    },
  };
}
