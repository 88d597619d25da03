import type { Caller } from '../../runtime/owners.ts';
import { setTimeout } from 'node:timers/promises';
import type { GeneSummary } from '@cellfolio/contract';
import { cutText, isCategorical } from '@cellfolio/model';
import { geneByDatasetReading } from '@cellfolio/figures';
import {
  type DatasetManifest,
  eachLimited,
  type GeneIndex,
  type GeneStatistics,
  ObjectStoreFailed,
} from '@cellfolio/store';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import { otherNamesOf } from '../../runtime/gene-names/nomenclature.ts';
import { type Catalogue, isOwn, VersionCache } from '../catalogue/index.ts';
import type { UserDatasets } from '../uploads/index.ts';
import { geneByDataset } from './summary-files.ts';
import { GeneNames, type GeneRow } from './gene-rows.ts';
import type { GroupedGenes } from './grouped-genes.ts';
import { joinCellTypes } from './join-cell-types.ts';
import { nearestGenes } from './nearest-genes.ts';

const maxCatalogue = 500;
const maxOwn = 100;
const readAtOnce = 8;
/** Columns with more are names of cells rather than types, and would make the response of each gene megabytes. */
const maxCellTypes = 500;
const maxNearest = 8;
/** Pause relative to work: preparing takes at most a fifth of the event loop's time. */
const restFactor = 4;
const minRestMilliseconds = 20;

type Unsummarised = GeneSummary['not_summarised'][number]['reason'];
type Summarised = GeneSummary['datasets'][number];

/** Cached data of a dataset: enough to read one gene without opening it again. */
interface Summaries {
  rowOf: (gene: string) => GeneRow | undefined;
  cellTypes: readonly string[];
  cells: Float64Array;
  /** Whether the gene has to be read and grouped, since no statistics are stored. */
  computed: boolean;
  read: (row: number, call: CallContext) => Promise<GeneStatistics>;
  /** Only for users' own datasets. */
  symbols?: readonly string[];
}

/**
 * Finds a gene in all datasets that a user may read, with the statistics stored at their import; without them, the gene
 * is read and grouped. A catalogue dataset is opened for this once in each version, one after the other; kept are eight
 * bytes for each gene name, and each name once for all datasets. After that a query costs two chunks of each dataset.
 * Nothing is kept here about users' own datasets.
 */
export class GeneFinder {
  readonly #catalogue: Pick<Catalogue, 'manifests'>;
  readonly #own: Pick<UserDatasets, 'manifestsOf'>;
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  readonly #grouped: Pick<GroupedGenes, 'of'>;
  readonly #names = new GeneNames();
  readonly #summaries = new VersionCache((manifest) => this.#open(manifest));

  constructor(deps: {
    catalogue: Pick<Catalogue, 'manifests'>;
    own: Pick<UserDatasets, 'manifestsOf'>;
    datasets: Pick<OpenDatasets, 'get'>;
    groupedGenes: Pick<GroupedGenes, 'of'>;
  }) {
    this.#catalogue = deps.catalogue;
    this.#own = deps.own;
    this.#datasets = deps.datasets;
    this.#grouped = deps.groupedGenes;
  }

  /** Throws the reason of the caller's signal, ObjectStoreFailed. */
  async find(caller: Caller, gene: string, call: CallContext): Promise<GeneSummary> {
    const [catalogue, own] = await Promise.all([
      this.#catalogue.manifests(),
      this.#own.manifestsOf(caller, maxOwn),
    ]);
    this.#summaries.keepOnly(catalogue);
    const manifests = [...catalogue.slice(0, maxCatalogue), ...own];
    const total = manifests.length;
    const summaries = new Array<UnjoinedSummary | Unsummarised | undefined>(total);
    const opened: Summaries[] = [];
    let done = 0;
    const report = () => call.onProgress({ stage: 'Looking through the datasets', done, total });
    report();
    await eachLimited(total, readAtOnce, async (at) => {
      call.signal.throwIfAborted();
      summaries[at] = await this.#summarise(manifests[at]!, gene, call, opened);
      done++;
      report();
    });
    const datasets = summaries.filter((one) => typeof one === 'object');
    const without: GeneSummary['without_gene'] = [];
    const notSummarised: GeneSummary['not_summarised'] = [];
    for (const [at, { id, catalogue: of }] of manifests.entries()) {
      const [reason, one] = [summaries[at], { dataset_filename: id, name: of.name }];
      if (reason === undefined) without.push(one);
      else if (typeof reason === 'string') notSummarised.push({ ...one, reason });
    }
    return {
      gene,
      ...joined(gene, datasets),
      nearest: datasets.length > 0 ? [] : await this.#nearest(gene, opened),
      without_gene: without,
      not_summarised: notSummarised,
      left_out: Math.max(0, catalogue.length - maxCatalogue),
    };
  }

  /**
   * Opens the catalogue datasets as the first query would, one after the other, with a pause after each for other
   * calls. Fills the same cache as that query. A dataset that fails is opened again when it is queried.
   */
  async prepare(signal: AbortSignal): Promise<void> {
    const manifests = await this.#catalogue.manifests();
    for (const manifest of manifests.slice(0, maxCatalogue)) {
      if (signal.aborted) return;
      const started = performance.now();
      await this.#summaries.of(manifest).catch(() => undefined);
      const rest = Math.max(minRestMilliseconds, restFactor * (performance.now() - started));
      await setTimeout(rest, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Undefined when the dataset does not have the gene. */
  async #summarise(
    manifest: DatasetManifest,
    gene: string,
    call: CallContext,
    opened: Summaries[],
  ): Promise<UnjoinedSummary | Unsummarised | undefined> {
    try {
      const summaries = await (isOwn(manifest.id) ? this.#open(manifest) : this.#summaries.of(manifest));
      if (typeof summaries === 'string') return summaries;
      opened.push(summaries);
      const match = foundRow(gene, summaries);
      return match && (await summarised(manifest, summaries, match, call));
    } catch (error) {
      if (error instanceof ObjectStoreFailed) throw error;
      call.signal.throwIfAborted();
      return 'unreadable';
    }
  }

  async #open(manifest: DatasetManifest): Promise<Summaries | Unsummarised> {
    const { cellType } = manifest.roles;
    if (cellType === undefined) return 'no_cell_types';
    const { state } = manifest.expression;
    if (state !== 'log-normalised' && state !== 'normalised-here') return 'not_log_normalised';
    const dataset = await this.#datasets.get(manifest);
    const stored = await dataset.geneStatistics(cellType);
    const column = await dataset.obs(cellType);
    if (!isCategorical(column)) return 'no_cell_types';
    if (column.categories.length > maxCellTypes) return 'too_many_cell_types';
    const cells = new Float64Array(column.categories.length);
    for (const code of column.codes) if (code >= 0) cells[code]!++;
    return {
      rowOf: this.#rowsOf(manifest.id, dataset.genes),
      cellTypes: column.categories,
      cells,
      computed: stored === undefined,
      read: stored
        ? (row, { signal }) => stored(row, signal)
        : (row, call) => this.#grouped.of(manifest, { row, column: cellType }, call),
      ...(isOwn(manifest.id) && { symbols: dataset.genes.symbols }),
    };
  }

  #rowsOf(id: string, genes: GeneIndex): Summaries['rowOf'] {
    if (!isOwn(id)) {
      const rows = this.#names.rowsOf(genes);
      return (gene) => this.#names.rowIn(rows, gene);
    }
    return (gene) => {
      const row = otherNamesAmong(genes, [gene]).length > 0 ? undefined : genes.find(gene);
      return row === undefined ? undefined : { row, symbol: genes.symbols[row] ?? gene };
    };
  }

  /** Names similar to one that no dataset has, with the number of datasets that have each. */
  async #nearest(gene: string, opened: readonly Summaries[]): Promise<GeneSummary['nearest']> {
    const names = this.#names;
    function* geneNames(): Generator<string> {
      yield* names.names;
      for (const { symbols } of opened) if (symbols) yield* symbols;
    }
    // The catalogue still names datasets that were removed since.
    const nearest = await nearestGenes(gene, geneNames(), 3 * maxNearest);
    return nearest
      .map((symbol) => ({ symbol, datasets: opened.filter(({ rowOf }) => rowOf(symbol)).length }))
      .filter(({ datasets }) => datasets > 0)
      .slice(0, maxNearest);
  }
}

type UnjoinedSummary = Omit<Summarised, 'cell_types'> & {
  /** Whether the dataset has the gene under another name than requested. */
  renamed: boolean;
  cell_types: readonly Omit<Summarised['cell_types'][number], 'column'>[];
};

/** Looks up the requested name, then other names of the same gene, its approved symbol first. */
function foundRow(
  gene: string,
  { rowOf }: Pick<Summaries, 'rowOf'>,
): (GeneRow & { renamed: boolean }) | undefined {
  const own = rowOf(gene);
  if (own) return { ...own, renamed: false };
  for (const name of otherNamesOf(gene)) {
    const row = rowOf(name);
    if (row) return { ...row, renamed: true };
  }
  return undefined;
}

async function summarised(
  { id, catalogue }: DatasetManifest,
  { cellTypes, cells, computed, read }: Summaries,
  { row, symbol, renamed }: GeneRow & { renamed: boolean },
  call: CallContext,
): Promise<UnjoinedSummary> {
  const { categories, sums, expressing } = await read(row, call);
  return {
    dataset_filename: id,
    name: catalogue.name,
    simulated: catalogue.simulated,
    symbol,
    renamed,
    computed,
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

function joined(
  gene: string,
  summaries: readonly UnjoinedSummary[],
): Pick<GeneSummary, 'datasets' | 'columns' | 'renamed' | 'reading'> {
  const { types, placeOf } = joinCellTypes(
    summaries.map(({ cell_types }) => cell_types.map(({ name }) => name)),
  );
  const columns = types.map(({ name, spellings }) => ({ name, spellings: [...spellings] }));
  const symbols = new Map<string, number>();
  const datasets: Summarised[] = [];
  for (const { renamed: isRenamed, ...dataset } of summaries) {
    if (isRenamed) symbols.set(dataset.symbol, (symbols.get(dataset.symbol) ?? 0) + 1);
    const cellTypes = dataset.cell_types.map((type) => ({ ...type, column: placeOf(type.name) }));
    datasets.push({ ...dataset, cell_types: cellTypes });
  }
  const renamed = Array.from(symbols, ([symbol, count]) => ({ symbol, datasets: count }));
  const shown = { gene, datasets, columns, renamed };
  return { datasets, columns, renamed, reading: geneByDatasetReading(geneByDataset(shown)) };
}
