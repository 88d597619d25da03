import { createHash } from 'node:crypto';
import {
  type EnrichmentBackground,
  expressedDefaults,
  type PathwayParameters,
} from '@cellfolio/analysis/parameters';
import { sharedCopy } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import { datasetSpecies } from '../../runtime/compute/dataset-species.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { BackgroundChoice, DatasetSpecies } from './background-genes.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { GeneMeans } from '../scores/index.ts';
import { keyOfSelection, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';

export interface ChosenBackground {
  choice: BackgroundChoice;
  key: string;
  activeCells: number;
  datasetGenes: number;
  /** Active cells that have to express a gene; only for expressed genes. */
  requiredCells?: number;
  /** Genes that all cells of the dataset express by the defaults; set when the background is all genes. */
  expressedGenes?: number;
  species: DatasetSpecies;
}

export class GeneBackgrounds {
  readonly #datasets: OpenDatasets;
  readonly #means: Pick<GeneMeans, 'expressing'>;
  readonly #masks: Pick<CellMasks, 'maskOf'>;

  constructor(deps: {
    datasets: OpenDatasets;
    means: Pick<GeneMeans, 'expressing'>;
    masks: Pick<CellMasks, 'maskOf'>;
  }) {
    this.#datasets = deps.datasets;
    this.#means = deps.means;
    this.#masks = deps.masks;
  }

  async of(
    selection: Selection,
    { background, species }: Pick<PathwayParameters, 'background' | 'species'>,
    call: CallContext,
  ): Promise<ChosenBackground> {
    const dataset = await this.#datasets.get(selection.manifest);
    const mask = await this.#masks.maskOf(selection, call);
    const activeCells = mask?.count ?? selection.manifest.cellCount;
    const common = {
      activeCells,
      datasetGenes: dataset.genes.symbols.length,
      species: speciesOf(dataset, species),
    };
    if (background.kind === 'own') {
      // As a digest: caches count what they hold, not their keys, and this list may be long.
      const digest = createHash('sha256').update(JSON.stringify(background.genes)).digest('hex');
      return { ...common, choice: background, key: `own ${digest}` };
    }
    if (background.kind === 'library') return { ...common, choice: background, key: background.kind };
    if (background.kind === 'dataset') {
      const all = { ...selection, subset: undefined };
      const expressing = await this.#means.expressing(all, call);
      const required = requiredCells(selection.manifest.cellCount, expressedDefaults);
      const expressedGenes = rowsFrom(expressing, required).length;
      return { ...common, choice: background, key: background.kind, expressedGenes };
    }
    const required = requiredCells(activeCells, background);
    const rows = rowsFrom(await this.#means.expressing(selection, call), required);
    return {
      ...common,
      choice: { kind: 'expressed', rows: sharedCopy(rows) },
      key: `expressed in ${required} of ${keyOfSelection(selection)}`,
      requiredCells: required,
    };
  }
}

type Expressed = Pick<
  Extract<EnrichmentBackground, { kind: 'expressed' }>,
  'minimum_share' | 'minimum_cells'
>;

/** Cells that have to express a gene: the greater of both thresholds, at most all cells. */
export function requiredCells(cells: number, { minimum_share, minimum_cells }: Expressed): number {
  // The share of a count may be above it by the error of the product.
  const ofShare = Math.ceil(minimum_share * cells - 1e-9);
  return Math.max(1, Math.min(cells, Math.max(ofShare, minimum_cells)));
}

function rowsFrom(expressing: Float64Array, required: number): Int32Array {
  const rows: number[] = [];
  for (let gene = 0; gene < expressing.length; gene++) if (expressing[gene]! >= required) rows.push(gene);
  return Int32Array.from(rows);
}

function speciesOf(dataset: Dataset, requestSpecies: PathwayParameters['species']): DatasetSpecies {
  if (requestSpecies !== undefined) return { species: requestSpecies, by: 'request', matching: 0, looked: 0 };
  return datasetSpecies(dataset);
}
