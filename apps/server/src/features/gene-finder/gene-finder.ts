import type { GeneSummary } from '@cellfolio/contract';
import { cutText, isCategorical } from '@cellfolio/model';
import {
  type DatasetManifest,
  eachLimited,
  type GeneIndex,
  type GeneStatisticsReader,
  ObjectStoreFailed,
} from '@cellfolio/store';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { type Catalogue, isOwn, VersionCache } from '../catalogue/index.ts';
import type { OwnDatasets } from '../uploads/index.ts';
import { GeneNames, type GeneRow } from './gene-rows.ts';

/** Datasets that one answer covers. */
const maxCatalogue = 500;
const maxOwn = 100;
/** Datasets read at a time. */
const readAtOnce = 8;

type Unsummarised = GeneSummary['not_summarised'][number]['reason'];
type Summarised = GeneSummary['datasets'][number];

/** What is kept of a dataset: enough to read one gene without opening it again. */
interface Summaries {
  readonly rowOf: (gene: string) => GeneRow | undefined;
  readonly cellTypes: readonly string[];
  /** Cells of each category. */
  readonly cells: Float64Array;
  readonly read: GeneStatisticsReader;
}

/**
 * Finds a gene in all datasets that a user may read, with the statistics stored at their import. A dataset of the
 * catalogue is opened for that once in each version, one after the other, when somebody first asks; kept are eight bytes
 * for each name of a gene, and each name once for all datasets. After that a question is two chunks of each dataset. Of
 * users' own datasets nothing is kept here.
 */
export class GeneFinder {
  readonly #catalogue: Pick<Catalogue, 'manifests'>;
  readonly #own: Pick<OwnDatasets, 'manifestsOf'>;
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  readonly #names = new GeneNames();
  /** Of the catalogue. */
  readonly #known = new VersionCache((manifest) => this.#open(manifest));

  constructor(deps: {
    catalogue: Pick<Catalogue, 'manifests'>;
    own: Pick<OwnDatasets, 'manifestsOf'>;
    datasets: Pick<OpenDatasets, 'get'>;
  }) {
    this.#catalogue = deps.catalogue;
    this.#own = deps.own;
    this.#datasets = deps.datasets;
  }

  async find(userId: string, gene: string): Promise<GeneSummary> {
    const [catalogue, own] = await Promise.all([
      this.#catalogue.manifests(),
      this.#own.manifestsOf(userId, maxOwn),
    ]);
    this.#known.keepOnly(catalogue);
    const manifests = [...catalogue.slice(0, maxCatalogue), ...own];
    const found = new Array<Summarised | Unsummarised | undefined>(manifests.length);
    await eachLimited(manifests.length, readAtOnce, async (at) => {
      found[at] = await this.#summarise(manifests[at]!, gene);
    });
    const datasets = found.filter((one) => typeof one === 'object');
    const notSummarised = manifests.flatMap(({ id, catalogue: { name } }, at) => {
      const reason = found[at];
      return typeof reason === 'string' ? [{ dataset_filename: id, name, reason }] : [];
    });
    return {
      gene,
      datasets,
      without_gene: manifests.length - datasets.length - notSummarised.length,
      not_summarised: notSummarised,
      left_out: Math.max(0, catalogue.length - maxCatalogue),
    };
  }

  /** Undefined where the dataset does not have the gene. */
  async #summarise(manifest: DatasetManifest, gene: string): Promise<Summarised | Unsummarised | undefined> {
    try {
      const summaries = await (isOwn(manifest.id) ? this.#open(manifest) : this.#known.of(manifest));
      if (typeof summaries === 'string') return summaries;
      const found = summaries.rowOf(gene);
      return found && (await summarised(manifest, summaries, found));
    } catch (error) {
      if (error instanceof ObjectStoreFailed) throw error;
      return 'unreadable';
    }
  }

  async #open(manifest: DatasetManifest): Promise<Summaries | Unsummarised> {
    const { cellType } = manifest.roles;
    if (cellType === undefined) return 'no_cell_types';
    const { state } = manifest.expression;
    if (state !== 'log-normalised' && state !== 'normalised-here') return 'not_log_normalised';
    const dataset = await this.#datasets.get(manifest);
    const read = await dataset.geneStatistics(cellType);
    if (!read) return 'no_statistics';
    const column = await dataset.obs(cellType);
    if (!isCategorical(column)) return 'no_cell_types';
    const cells = new Float64Array(column.categories.length);
    for (const code of column.codes) if (code >= 0) cells[code]!++;
    return { rowOf: this.#rowsOf(manifest.id, dataset.genes), cellTypes: column.categories, cells, read };
  }

  #rowsOf(id: string, genes: GeneIndex): Summaries['rowOf'] {
    if (!isOwn(id)) {
      const rows = this.#names.rowsOf(genes);
      return (gene) => this.#names.rowIn(rows, gene);
    }
    return (gene) => {
      const row = genes.find(gene);
      return row === undefined ? undefined : { row, symbol: genes.symbols[row] ?? gene };
    };
  }
}

async function summarised(
  { id, catalogue }: DatasetManifest,
  { cellTypes, cells, read }: Summaries,
  { row, symbol }: GeneRow,
): Promise<Summarised> {
  const { categories, sums, expressing } = await read(row);
  return {
    dataset_filename: id,
    name: catalogue.name,
    simulated: catalogue.simulated,
    symbol,
    cell_types: Array.from(categories, (code, slot) => {
      const mean = sums[slot]! / cells[code]!;
      return {
        name: cutText(cellTypes[code] ?? ''),
        cells: cells[code]!,
        expressing: expressing[slot]!,
        mean: Number.isFinite(mean) ? mean : null,
      };
    }),
  };
}
