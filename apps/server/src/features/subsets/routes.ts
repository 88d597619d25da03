import {
  type FilterAnswer,
  type FilterPreview,
  type ValueHistogram,
  filterAnswer,
  filterPreview,
  filterRequest,
  cellSetsAnswer,
  type CellSetsAnswer,
  cellSetsRequest,
  maxCellSets,
  maxComposed,
} from '@cellfolio/contract';
import type { ValueHistogram as CellHistogram } from '@cellfolio/analysis';
import { cutText } from '@cellfolio/model';
import { inDisplayOrder } from '../../runtime/compute/category-display.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { countsOf, listedCategories, unlabelledCells } from '../catalogue/index.ts';
import { tabSessionOf } from '../../runtime/http/access.ts';
import type { Route } from '../../runtime/http/routes.ts';
import {
  keptBy,
  onAllCells,
  otherCells,
  type Selection,
  type SelectionServices,
  subsetFilter,
  type SubsetFilter,
} from '../selection/index.ts';
import type { SubsetMask, CellMasks } from './cell-masks.ts';
import type { SetOverlap } from './set-overlap.ts';

const postCellSets: Route<SelectionServices & { masks: CellMasks }> = async (app, { services }) => {
  app.post(
    '/api/cell-sets',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Count the cells in each combination of sets, and return the cells of some',
        tags: ['datasets'],
        body: cellSetsRequest,
        response: { 200: cellSetsAnswer },
      },
    },
    async (request) =>
      onAllCells(services, request, async ({ manifest, own }, call): Promise<CellSetsAnswer> => {
        const { sets, keep, by } = request.body;
        const keptBits = new Set(keep?.map(bitsOf));
        const subsets = sets.map((set) => subsetFilter(set));
        const overlap = await services.masks.overlap({ manifest, own }, { subsets, keptBits, by }, call);
        const combinations = Array.from(overlap.counts, (count, bits) => ({ inside: placesIn(bits), count }));
        const { version } = manifest;
        return {
          dataset_cells: manifest.cellCount,
          counts: [...overlap.sizes],
          combinations: combinations.filter(({ count }) => count > 0).toSorted((a, b) => b.count - a.count),
          ...(by !== undefined &&
            overlap.composition && { composition: composed(by, overlap.composition, sets.length) }),
          ...(overlap.cautions.length > 0 && { warnings: overlap.cautions }),
          ...(keep && { kept: { count: overlap.keptCells, cells: { version, places: overlap.places } } }),
        };
      }),
  );
};

/** The categories with the most cells in any of the sets, in the order of the column, and the rest combined. */
function composed(
  column: string,
  { categories, colours, counts }: NonNullable<SetOverlap['composition']>,
  sets: number,
): NonNullable<CellSetsAnswer['composition']> {
  const rowOf = (category: number) => [...counts.subarray(category * sets, (category + 1) * sets)];
  const filled = categories
    .map((name, category) => ({
      name: cutText(name),
      colour: colours[category]!,
      cells: rowOf(category),
    }))
    .filter(({ cells }) => cells.some((count) => count > 0));
  const largest = filled.toSorted((a, b) => Math.max(...b.cells) - Math.max(...a.cells));
  const shown = new Set(largest.slice(0, maxComposed));
  const others = filled.filter((one) => !shown.has(one));
  return {
    column,
    categories: filled.filter((one) => shown.has(one)),
    others: {
      categories: others.length,
      cells: Array.from({ length: sets }, (_, set) =>
        others.reduce((sum, { cells }) => sum + cells[set]!, 0),
      ),
    },
    without: rowOf(categories.length),
  };
}

function bitsOf(inside: readonly number[]): number {
  return inside.reduce((bits, place) => bits | (1 << place), 0);
}

function placesIn(bits: number): number[] {
  return Array.from({ length: maxCellSets }, (_, place) => place).filter((place) => bits & (1 << place));
}

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

function effectOf(built: SubsetMask, selection: Selection, subset: SubsetFilter): FilterEffect {
  const keptCells = keptBy(selection, built.mask.count);
  return {
    kept: keptCells,
    cell_count: built.mask.count,
    cell_type_counts: cellTypeCounts(new Map(built.cellTypeCounts), selection),
    unlabelled_cells: built.unlabelledCells,
    thresholds: built.thresholds,
    not_found_genes: [...built.missingGenes],
    warnings: [...otherCells(subset, keptCells), ...built.cautions],
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

function histogramOf({ zerosKept, counts, keptCounts, ...rest }: CellHistogram): ValueHistogram {
  return { ...rest, zeros_kept: zerosKept, counts: [...counts], kept: [...keptCounts] };
}

export interface SubsetServices extends SelectionServices {
  datasets: OpenDatasets;
  masks: CellMasks;
}

/** Chooses the cells for later calls of this tab. A refused filter leaves the chosen ones active. */
const postFilterActiveDataset: Route<SubsetServices> = async (app, { services }) => {
  app.post(
    '/api/filter-active-dataset',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Choose the cells that later calls work on',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterAnswer },
      },
    },
    async (request) =>
      onAllCells(services, request, async (active, call) => {
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
      config: { scope: 'read' },
      schema: {
        summary: 'Count the cells of a filter without choosing them',
        tags: ['datasets'],
        body: filterRequest,
        response: { 200: filterPreview },
      },
    },
    async (request) =>
      onAllCells(services, request, async (active, call) => {
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
