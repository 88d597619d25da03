import {
  type FilterAnswer,
  type FilterPreview,
  type ValueHistogram,
  filterAnswer,
  filterPreview,
  filterRequest,
} from '@cellfolio/contract';
import type { ValueHistogram as CellHistogram } from '@cellfolio/analysis';
import { countText } from '@cellfolio/model';
import { inDisplayOrder } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { SubsetMask, CellMasks } from './cell-masks.ts';
import { postCellSets } from './cell-sets.ts';
import { countsOf, listedCategories, unlabelledCells } from '../catalogue/index.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import {
  onActiveCells,
  type Selection,
  type SelectionServices,
  subsetFilter,
  type SubsetFilter,
} from '../selection/index.ts';

type FilterEffect = Omit<FilterAnswer, 'subset_group_name'>;

async function effectOfAll(selection: Selection, datasets: OpenDatasets): Promise<FilterEffect> {
  const { manifest } = selection;
  const counts = await countsOf(await datasets.get(manifest), manifest.roles.cellType);
  return {
    cell_count: manifest.cellCount,
    cell_type_counts: cellTypeCounts(counts, selection),
    unlabelled_cells: counts.size === 0 ? 0 : unlabelledCells(counts, manifest.cellCount),
    not_found_genes: [],
    kept: keptBy(selection, manifest.cellCount),
    warnings: [],
  };
}

/** In the caller's order. */
function cellTypeCounts(
  counts: ReadonlyMap<string, number>,
  { manifest, displays }: Selection,
): FilterEffect['cell_type_counts'] {
  const display = displays?.find(({ column }) => column === manifest.roles.cellType);
  return Object.fromEntries(listedCategories(inDisplayOrder(counts, display)).counts);
}

/** Saved with a filter, to tell later whether it still keeps the same cells. */
function keptBy({ manifest, own = [] }: Selection, cells: number): FilterEffect['kept'] {
  return {
    cells,
    version: manifest.version,
    annotations: own.map(({ id, revision }) => ({ id, revision })),
  };
}

/** Warning of a filter that keeps other cells than when it was saved, as its columns are of another version. */
function otherVersion({ subset_group_name: name, kept: before }: SubsetFilter, now: FilterEffect['kept']) {
  if (!before) return [];
  const isReplaced = before.version !== now.version;
  // Labels of other cells make a new revision of an annotation, too.
  if (!isReplaced && before.cells === now.cells) return [];
  const changed = isReplaced ? 'the dataset was replaced' : 'an annotation was changed';
  return [
    {
      code: 'filter-of-other-version',
      message: `“${name}” had ${countText(before.cells)} cells when it was saved; ${countText(now.cells)} now, as ${changed} since${before.cells === now.cells ? ', and they may have changed' : ''}. Check its values on the map, then save it again.`,
      numbers: { before: before.cells, now: now.cells, version: before.version },
    },
  ];
}

function effectOf(built: SubsetMask, selection: Selection, subset: SubsetFilter): FilterEffect {
  const kept = keptBy(selection, built.mask.count);
  return {
    kept,
    cell_count: built.mask.count,
    cell_type_counts: cellTypeCounts(new Map(built.cellTypeCounts), selection),
    unlabelled_cells: built.unlabelledCells,
    thresholds: built.thresholds,
    not_found_genes: [...built.missingGenes],
    warnings: [...otherVersion(subset, kept), ...built.cautions],
  };
}

function partsOf({
  filterCounts,
  histograms: { gene, signature },
}: SubsetMask): Pick<FilterPreview, 'filter_counts' | 'histograms'> {
  return {
    filter_counts: filterCounts,
    histograms: {
      ...(gene && { gene: histogramOf(gene) }),
      ...(signature && { signature: histogramOf(signature) }),
    },
  };
}

function histogramOf({ zerosKept, counts, kept, ...rest }: CellHistogram): ValueHistogram {
  return { ...rest, zeros_kept: zerosKept, counts: [...counts], kept: [...kept] };
}

export interface SubsetServices extends SelectionServices {
  readonly datasets: OpenDatasets;
  readonly masks: CellMasks;
}

/** Chooses the cells for later calls of this tab. A refused filter leaves the chosen ones active. */
const postFilterActiveDataset: Route<SubsetServices> = async (app, { services }) => {
  app.post(
    '/api/filter-active-dataset',
    {
      schema: {
        summary: 'Choose the cells that later calls work on',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterAnswer },
      },
    },
    async (request) =>
      onActiveCells(services, request, async (active, call) => {
        const { manifest, own } = active;
        const { subset_group_name: name } = request.body;
        const subset = subsetFilter(request.body);
        if (!subset) {
          await services.active.choose(tabSessionOf(request), manifest, undefined);
          return { ...(await effectOfAll(active, services.datasets)), subset_group_name: name };
        }
        const built = await services.masks.build({ manifest, subset, own }, call);
        await services.active.choose(tabSessionOf(request), manifest, subset);
        return { ...effectOf(built, active, subset), subset_group_name: name };
      }),
  );
};

/** Previews a filter of the open dataset; the active cells stay unchanged. */
const postPreviewFilter: Route<SubsetServices> = async (app, { services }) => {
  app.post(
    '/api/preview-filter',
    {
      schema: {
        summary: 'Count the cells of a filter without choosing them',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterPreview },
      },
    },
    async (request) =>
      onActiveCells(services, request, async (active, call) => {
        const { manifest, own } = active;
        const subset = subsetFilter(request.body);
        const common = { dataset_cells: manifest.cellCount };
        if (!subset) {
          const effect = await effectOfAll(active, services.datasets);
          return { ...effect, ...common, filter_counts: {}, histograms: {} };
        }
        const built = await services.masks.measure({ manifest, subset, own }, call);
        return { ...effectOf(built, active, subset), ...common, ...partsOf(built) };
      }),
  );
};

export const subsetsRoutes = [postFilterActiveDataset, postPreviewFilter, postCellSets];
