import type { FilterAnswer, FilterPreview, ValueHistogram } from '@cellfolio/contract';
import type { ValueHistogram as CellHistogram } from '@cellfolio/analysis';
import type { DatasetManifest } from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { SubsetMask } from './cell-masks.ts';
import { countsOf, listedCategories, unlabelledCells } from '../catalogue/index.ts';

type FilterEffect = Omit<FilterAnswer, 'subset_group_name'>;

/** What choosing all cells comes to. */
export async function effectOfAll(manifest: DatasetManifest, datasets: OpenDatasets): Promise<FilterEffect> {
  const counts = await countsOf(await datasets.get(manifest), manifest.roles.cellType);
  return {
    cell_count: manifest.cellCount,
    cell_type_counts: Object.fromEntries(listedCategories(counts).counts),
    unlabelled_cells: counts.size === 0 ? 0 : unlabelledCells(counts, manifest.cellCount),
    not_found_genes: [],
    warnings: [],
  };
}

/** What a filter comes to, as its caller is told. */
export function effectOf(built: SubsetMask): FilterEffect {
  return {
    cell_count: built.mask.count,
    cell_type_counts: Object.fromEntries(listedCategories(new Map(built.cellTypeCounts)).counts),
    unlabelled_cells: built.unlabelledCells,
    thresholds: built.thresholds,
    not_found_genes: [...built.missingGenes],
    warnings: [...built.cautions],
  };
}

/** What each part of a filter does by itself. */
export function partsOf({
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
