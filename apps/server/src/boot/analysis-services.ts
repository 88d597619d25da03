import { forgetDataset, type OpenedObjectStore } from '@cellfolio/store';
import { CellDepths } from '../runtime/cell-depths.ts';
import type { Compute, ComputePool } from '../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../runtime/observability/observed.ts';
import { contextOf } from '../features/analyses/context.ts';
import { analysisInputs, AnalysisRunner, type ListVersions } from '../features/analyses/runner.ts';
import { GeneSetLibraries, OrthologueTables } from '../features/gene-sets/index.ts';
import { CellClassifications, ModelFiles } from '../features/cell-models/index.ts';
import { CellGraphs } from '../features/cell-graph/index.ts';
import { DatasetLibraries, GeneBackgrounds } from '../features/dataset-libraries/index.ts';
import { CellExport, DatasetExport } from '../features/export/index.ts';
import { MapColumns } from '../features/columns/map-columns.ts';
import { FigureInputs, FigureService } from '../features/explore/index.ts';
import { comparisonInputs, Comparisons } from '../features/gene-comparisons/index.ts';
import { GroupedGenes } from '../features/gene-finder/index.ts';
import { SumsOfGroups } from '../features/group-sums/index.ts';
import { ReferenceLists } from '../features/reference-lists/index.ts';
import { GeneMeans, NamedScores, SignatureScoring } from '../features/scores/index.ts';
import { CellMasks } from '../features/subsets/index.ts';
import { endInputs, ValueRanking } from '../features/value-ranking/index.ts';

interface AnalysisDeps {
  compute: Compute & Pick<ComputePool, 'forget' | 'caches' | 'renew'>;
  datasets: OpenDatasets;
  objects: OpenedObjectStore;
  figureCacheBytes: number;
  cellModelDir: string;
}

export function analysisServices(deps: AnalysisDeps) {
  const { compute, datasets, objects } = deps;
  const libraries = new GeneSetLibraries(objects);
  const orthologues = new OrthologueTables(objects);
  // Lazy, since masks and scores depend on each other: a filter may need a score, and a subset's score its mask.
  const masks: CellMasks = new CellMasks({ compute, datasets, scoring: () => scoring });
  const means = new GeneMeans({ compute, datasets, masks });
  const scoring = new SignatureScoring({ compute, datasets, means, masks, orthologues });
  const depths = new CellDepths({ compute, datasets });
  const sums = new SumsOfGroups({ compute, masks, depths });
  const scores = new NamedScores({ datasets, libraries, scoring });
  const ranking = new ValueRanking({ compute, datasets, masks, scores });
  const comparisons = new Comparisons({ compute, datasets, masks, depths, ranking });
  const graphs = new CellGraphs({ compute, datasets, masks, objects });
  const backgrounds = new GeneBackgrounds({ datasets, means, masks });
  const datasetLibraries = new DatasetLibraries({ compute, libraries, backgrounds, orthologues });
  const lists = new ReferenceLists(objects, orthologues);
  const analysed = { compute, datasets, masks, graphs, scoring, scores, ranking, comparisons, means, sums };
  const context = { ...analysed, depths, lists, libraries: datasetLibraries };
  const analyses = new AnalysisRunner(
    (...of) => contextOf(context, ...of),
    versionsOf(datasetLibraries, lists),
    (score) => scores.version({ from: 'score', score }),
  );
  const cellModels = new ModelFiles(deps.cellModelDir, compute);
  const classifications = new CellClassifications({ compute, datasets, masks, files: cellModels });
  // What figures draw of an analysis, by the name that `PlotInput` gives it.
  const results = {
    score: scores,
    ...comparisonInputs({ comparisons, datasets }),
    ends: endInputs(ranking),
    ...analysisInputs(analyses),
  };
  const inputs = new FigureInputs({ datasets, results });
  const figures = new FigureService({ compute, inputs, masks }, deps.figureCacheBytes);
  const mapColumns = new MapColumns({ compute, datasets, masks, scores }, deps.figureCacheBytes);
  const groupedGenes = new GroupedGenes({ compute });
  const caching: readonly Caching[] = [
    figures,
    mapColumns,
    masks,
    means,
    scoring,
    depths,
    sums,
    ranking,
    comparisons,
    analyses,
    classifications,
    datasetLibraries,
    graphs,
    groupedGenes,
  ];
  return {
    masks,
    figures,
    mapColumns,
    libraries,
    lists,
    orthologues,
    scores,
    ranking,
    comparisons,
    analyses,
    cellModels,
    classifications,
    groupedGenes,
    cellExport: new CellExport({ compute, datasets, masks, scores }),
    datasetExport: new DatasetExport({ compute, datasets, masks, scores }),
    ...cacheServices(caching, deps),
  };
}

/** Versions of libraries of gene sets, and of the other lists. */
function versionsOf(libraries: DatasetLibraries, lists: ReferenceLists): ListVersions {
  return {
    version: (source, chosen) =>
      source === 'gene-sets' ? libraries.version(source, chosen) : lists.version(source, chosen),
    mappingVersion: () => lists.mappingVersion(),
    refuseReplaced(source, ...list) {
      if (source === 'gene-sets') libraries.refuseReplaced(source, ...list);
      else lists.refuseReplaced(source, ...list);
    },
  };
}

function cacheServices(caching: readonly Caching[], { compute, datasets, objects }: AnalysisDeps) {
  return {
    caches: (): NamedCaches => [...caching.flatMap((one) => one.caches), ...compute.caches(objects.cacheUse)],
    dropDataset: async (datasetId: string): Promise<void> => {
      for (const one of caching) one.forget(datasetId);
      datasets.forgetAll(datasetId);
      await forgetDataset(objects, datasetId);
      await compute.forget(datasetId);
    },
    /** Drops what is large and quick to compute again, and restarts the threads to free their heaps. */
    releaseMemory: async (): Promise<void> => {
      for (const one of caching) one.releaseMemory?.();
      await compute.renew();
    },
  };
}

interface Caching {
  caches: NamedCaches;
  forget(datasetId: string): void;
  /** Drops what is large and quick to compute again. */
  releaseMemory?(): void;
}

export type AnalysisServices = ReturnType<typeof analysisServices>;
