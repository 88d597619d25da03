import { clusterField } from '@cellfolio/contract';
import {
  type Caution,
  type CellMask,
  type Column,
  countText,
  isCategorical,
  percentText,
  listedNames,
  typeColumn,
} from '@cellfolio/model';
import { ByteCache, type Dataset } from '@cellfolio/store';
import type { ValueHistogram } from '@cellfolio/analysis';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { type OpenDatasets, requireColumn, requireGene } from '../../runtime/compute/open-datasets.ts';
import type { BuiltMask, MaskTask } from './build-mask.ts';
import type { SetOverlap, SetOverlapTask } from './set-overlap.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { otherNameCautions, otherNamesAmong } from '../../runtime/gene-names/named-genes.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import {
  datasetOf,
  geneOf,
  type GeneRule,
  keyOfSelection,
  keysOfDataset,
  placesOf,
  rangeOf,
  ruleOf,
  type Selection,
  type SubsetFilter,
  type GenePercentiles,
} from '../selection/index.ts';
import { countsOf } from '../catalogue/index.ts';
import { type ScoredGenes, type SignatureScoring } from '../scores/index.ts';

const cacheBytes = 32 * 1024 * 1024;
const maxNamesListed = 200;

export interface SubsetMask extends BuiltMask {
  missingGenes: readonly string[];
  cautions: readonly Caution[];
}

interface MaskPlan {
  task: MaskTask;
  gene: { row: number; symbol: string; rule: GeneRule } | undefined;
  signature: ScoredGenes | undefined;
  /** How the gene of the filter was found. */
  cautions: readonly Caution[];
}

export class CellMasks {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  /** A function, because scores need means and means need masks: the scoring is created after both. */
  readonly #scoring: () => SignatureScoring;
  readonly #cache = new ByteCache<string, SubsetMask>(cacheBytes, ({ mask }) => mask.bits.byteLength);
  readonly #running = new JoinedWork<SubsetMask>();

  constructor(deps: { compute: Compute; datasets: OpenDatasets; scoring: () => SignatureScoring }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#scoring = deps.scoring;
  }

  /** The cells of a selection; undefined for all. Throws ApiFailure. */
  async maskOf(selection: Selection, call: CallContext): Promise<CellMask | undefined> {
    const { subset } = selection;
    return subset && (await this.build({ ...selection, subset }, call)).mask;
  }

  /**
   * Throws ApiFailure 400 for a name that the dataset does not have, 409 for cells selected on another version of it,
   * 422 for a filter that keeps no cell.
   */
  async build(selection: Selection & { subset: SubsetFilter }, call: CallContext): Promise<SubsetMask> {
    const built = await this.measure(selection, call);
    if (built.mask.count === 0) throw emptySubset(selection);
    return built;
  }

  /** As `build`, but also when no cell is kept. Throws ApiFailure 400 and 409 as `build` does. */
  async measure(selection: Selection & { subset: SubsetFilter }, call: CallContext): Promise<SubsetMask> {
    const tables = selection.subset.signature ? `|${await this.#scoring().version()}` : '';
    const key = keyOfSelection(selection) + tables;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    return this.#running.run(key, call, async (joined) => {
      const plan = await this.#plan(selection, joined);
      const mask = await this.#compute.run(plan.task, joined);
      const built = {
        ...mask,
        missingGenes: plan.signature?.missing ?? [],
        cautions: cautionsOf(selection.subset, plan, mask),
      };
      this.#cache.set(key, built);
      return built;
    });
  }

  /**
   * Overlaps of sets of cells, and the cells of some combinations; an undefined set is all cells. Throws ApiFailure as
   * `measure`; 404 for a column that does not exist.
   */
  async overlap(
    { manifest, own }: Omit<Selection, 'subset'>,
    {
      subsets,
      ...wanted
    }: { subsets: readonly (SubsetFilter | undefined)[] } & Pick<SetOverlapTask, 'keptBits' | 'by'>,
    call: CallContext,
  ): Promise<SetOverlap & { sizes: readonly number[]; cautions: Caution[] }> {
    const sets: (CellMask | undefined)[] = [];
    const cautions = new Map<string, Caution>();
    for (const subset of subsets) {
      const measured = subset && (await this.measure({ manifest, subset, own }, call));
      sets.push(measured?.mask);
      for (const caution of measured?.cautions ?? []) cautions.set(caution.message, caution);
    }
    const dataset = datasetOf({ manifest, subset: undefined, own });
    if (wanted.by !== undefined) requireColumn(await this.#datasets.get(dataset), wanted.by);
    const task = { kind: 'set-overlap', dataset, sets, ...wanted } as const;
    const overlap = await this.#compute.run<SetOverlapTask>(task, call);
    const sizes = sets.map((mask) => mask?.count ?? manifest.cellCount);
    return { ...overlap, sizes, cautions: [...cautions.values()] };
  }

  get caches(): NamedCaches {
    return [['masks', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#cache.forget(() => true);
  }

  async #plan(selection: Selection & { subset: SubsetFilter }, call: CallContext): Promise<MaskPlan> {
    const { manifest, subset } = selection;
    const places = subset.cells && placesOf(subset.cells, manifest, 'cells');
    const dataset = await this.#datasets.get(datasetOf(selection));
    const columns: MaskTask['columns'][number][] = [];
    if (subset.cell_type) {
      // Subsets of before name clusters here, where there were no cell types.
      const column = typeColumn(manifest);
      const chosenColumn = await this.#checked(selection, 'cell type', column, subset.cell_type);
      columns.push({ part: 'cell_type', ...chosenColumn });
    }
    const { cluster, metadata } = manifest.roles;
    const fields = new Map(Object.entries(metadata));
    if (cluster !== undefined && !fields.has(clusterField)) fields.set(clusterField, cluster);
    for (const { name } of selection.own ?? []) fields.set(name, name);
    for (const field of Object.keys(subset.patient_metadata ?? {})) {
      if (!fields.has(field) && isCategorical(await obsOf(dataset, field))) fields.set(field, field);
    }
    for (const [field, values] of Object.entries(subset.patient_metadata ?? {})) {
      if (!fields.has(field)) {
        throw unknownNames('unknown_field', 'metadata field', [field], [...fields.keys()]);
      }
      const chosenColumn = await this.#checked(selection, field, fields.get(field), values);
      columns.push({ part: 'patient_metadata', ...chosenColumn });
    }
    const row = subset.gene ? requireGene(dataset, geneOf(subset), 'gene.name') : undefined;
    const gene =
      row === undefined
        ? undefined
        : { row, symbol: dataset.genes.symbols[row] ?? geneOf(subset), rule: ruleOf(subset) };
    const signature = subset.signature
      ? await this.#scoring().genesOf(dataset, { name: 'the signature', genes: subset.signature.genes })
      : undefined;
    // Percentiles are over all cells of the dataset, so the scores are too.
    const scored =
      signature && (await this.#scoring().score({ manifest, subset: undefined }, signature.rows, call));
    const task: MaskTask = {
      kind: 'mask',
      dataset: datasetOf(selection),
      columns,
      ...(gene && { gene: { row: gene.row, rule: gene.rule } }),
      ...(scored && { signature: { scores: scored.scores, range: rangeOf(subset.signature) } }),
      ...(places && { places }),
    };
    const renamed = subset.gene ? otherNamesAmong(dataset.genes, [geneOf(subset)]) : [];
    return { task, gene, signature, cautions: otherNameCautions(renamed, 'the filter') };
  }

  async #checked(
    selection: Selection,
    what: string,
    column: string | undefined,
    values: readonly string[],
  ): Promise<{ name: string; categories: readonly string[] }> {
    if (column === undefined) {
      const { name } = selection.manifest.catalogue;
      throw new ApiFailure(400, 'no_such_column', `The dataset ${name} has no ${what}s.`);
    }
    checkNames(what, values, await countsOf(await this.#datasets.get(datasetOf(selection)), column));
    return { name: column, categories: values };
  }
}

function cautionsOf(
  { signature }: SubsetFilter,
  plan: MaskPlan,
  { thresholds, filterCounts, histograms }: BuiltMask,
): Caution[] {
  const cautions: Caution[] = [...plan.cautions, ...(plan.signature?.cautions ?? [])];
  if (plan.gene && typeof plan.gene.rule !== 'string' && thresholds.gene && histograms.gene) {
    cautions.push(
      ...percentileCautions({
        part: 'gene',
        of: plan.gene.symbol,
        range: plan.gene.rule,
        thresholds: thresholds.gene,
        keptCells: filterCounts.gene ?? 0,
        histogram: histograms.gene,
      }),
    );
  }
  if (thresholds.signature && histograms.signature) {
    cautions.push(
      ...percentileCautions({
        part: 'signature',
        of: 'the signature score',
        range: { ...rangeOf(signature), among: 'all' },
        thresholds: thresholds.signature,
        keptCells: filterCounts.signature ?? 0,
        histogram: histograms.signature,
      }),
    );
  }
  return cautions;
}

/** Throws ApiFailure 400 with the values that a column does not have. */
export function checkNames(
  what: string,
  values: readonly string[],
  available: ReadonlyMap<string, number>,
): void {
  const unknown = values.filter((value) => !available.has(value));
  if (unknown.length > 0) throw unknownNames('unknown_value', what, unknown, [...available.keys()]);
}

function unknownNames(
  code: string,
  what: string,
  unknown: readonly string[],
  available: readonly string[],
): ApiFailure {
  return new ApiFailure(
    400,
    code,
    available.length === 0
      ? `The dataset has no ${what} ${listedNames(unknown)}: it has none at all.`
      : `The dataset has no ${what} ${listedNames(unknown)}. It has: ${listedNames(available)}.`,
    { details: { unknown, known: available.slice(0, maxNamesListed) } },
  );
}

function emptySubset({ manifest }: Selection): ApiFailure {
  return new ApiFailure(
    422,
    'empty_subset',
    `None of the ${countText(manifest.cellCount)} cells passes this filter, so the previous cells stay active. Widen the percentiles or choose fewer parts.`,
  );
}

interface AppliedPercentiles {
  part: 'gene' | 'signature';
  /** The symbol of the gene, or words for the score. */
  of: string;
  range: GenePercentiles;
  thresholds: readonly [number, number];
  keptCells: number;
  histogram: ValueHistogram;
}

/** Share of all cells by which a filter may exceed its percentiles before a caution. */
const maxExcess = 0.01;

/**
 * Reports a range that does not keep the share of cells that its percentiles suggest: both of its ends are one value,
 * or an end is the value of many cells, which are then all kept. In sparse data that value is mostly 0.
 */
function percentileCautions(applied: AppliedPercentiles): Caution[] {
  const { part, of, range, thresholds, keptCells, histogram } = applied;
  const { zeros, positive, counts } = histogram;
  const [low, high] = thresholds;
  const expressing = range.among === 'expressing';
  const cells = expressing ? positive : zeros + counts.reduce((sum, count) => sum + count, 0);
  const cellNoun = expressing ? 'expressing cells' : 'cells';
  const expectedCells = ((range.max - range.min) / 100) * (cells - 1) + 1;
  const percentiles = `Percentiles ${range.min} to ${range.max} of ${of}`;
  const atZero = low === 0 || high === 0;
  const numbers = {
    filter: part,
    minimumPercentile: range.min,
    maximumPercentile: range.max,
    low,
    high,
    cellsKept: keptCells,
    cells,
    zeros,
  };
  const zeroCells = `${shareText(zeros, cells, cellNoun)} ${part === 'gene' ? 'do not express it' : 'have a score of exactly 0'}`;
  const advice =
    part === 'gene' && atZero ? ' Percentiles among expressing cells compare levels of expression.' : '';
  if (low === high) {
    const why =
      low === 0
        ? `${zeroCells}, and the filter keeps exactly these.`
        : `the filter keeps the ${shareText(keptCells, cells, cellNoun)} that have exactly this value.`;
    return [
      {
        code: 'range-ends-coincide',
        message: `${percentiles} are both ${valueText(low)}: ${why}${advice}`,
        numbers,
      },
    ];
  }
  if (keptCells - expectedCells <= maxExcess * cells) return [];
  const why = atZero
    ? `${low === 0 ? 'the lower' : 'the upper'} end is 0, ${zeroCells}, and the ends of the range are included.`
    : `many cells have exactly the value of an end (${valueText(low)} or ${valueText(high)}), and the ends of the range are included.`;
  return [
    {
      code: 'range-holds-ties',
      message: `${percentiles} ask for ${valueText(range.max - range.min)} % of the ${cellNoun}, but the filter keeps ${shareText(keptCells, cells, cellNoun)}: ${why}${advice}`,
      numbers: { ...numbers, percentAsked: range.max - range.min, percentKept: (keptCells / cells) * 100 },
    },
  ];
}

function shareText(part: number, whole: number, noun: string): string {
  return `${countText(part)} of ${countText(whole)} ${noun} (${percentText(part, whole)})`;
}

function valueText(value: number): string {
  return String(Number(value.toPrecision(4)));
}

/** Undefined when the dataset has no such column. */
async function obsOf(dataset: Dataset, name: string): Promise<Column | undefined> {
  return dataset.obsColumnNames.includes(name) ? dataset.obs(name) : undefined;
}
