import { type ResultCaution as Caution, listedNames, plural, pluralWord } from '@cellfolio/model';
import type { Dataset } from '@cellfolio/store';
import {
  detectSpecies,
  NoControlGenes,
  NoExpressionMeans,
  planSignature,
  type SignaturePlan,
} from '@cellfolio/analysis';
import { ApiFailure } from '../../runtime/api-failure.ts';
import { lookUpGenes, noGenesFound } from '../catalogue/index.ts';
import { type OtherName, otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { ScoreTask, SumTask } from './tasks.ts';
import { blockEntries, runSequences, type CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { mappedCautions, mapGenes, type OrthologueTables } from '../gene-sets/index.ts';
import type { GeneMeans } from './gene-means.ts';
import {
  datasetOf,
  keyOfSelection,
  keysOfDataset,
  type MaskSource,
  type Selection,
} from '../selection/index.ts';

export interface GeneSetToScore {
  name: string;
  genes: readonly string[];
  /** Set for the genes of a hallmark state, with the minimum number to be found. */
  state?: { minimumGenes: number };
}

export interface ScoredGenes {
  /** Rows in var. */
  rows: readonly number[];
  /** In the dataset's spelling. */
  symbols: readonly string[];
  missing: readonly string[];
  cautions: readonly Caution[];
}

/** A signature with fewer genes shows single genes. */
const fewOfSignature = 3;
/** With fewer genes, or less than half of the set, too little of a hallmark state is scored. */
const fewOfState = 10;

/**
 * Finds the genes of a score, by orthologues where most symbols are written as those of another species that a table
 * maps. Somebody's own genes may be mixed: one that the dataset spells the same is that gene, and one without an orthologue is looked up
 * by its name. Throws ApiFailure 422 when the dataset has none of them, or fewer of a cell state than requested.
 */
export async function scoredGenes(
  dataset: Pick<Dataset, 'genes'>,
  set: GeneSetToScore,
  orthologues: Pick<OrthologueTables, 'of'>,
): Promise<ScoredGenes> {
  const { genes } = dataset;
  const mapped = await mapGenes(dataset, detectSpecies(set.genes).species, orthologues);
  const find = (name: string) => {
    if (set.state) return mapped.find(name);
    const same = genes.find(name);
    if (same !== undefined && genes.symbols[same] === name) return same;
    return mapped.find(name) ?? mapped.findByName(name);
  };
  const { matches, missing } = lookUpGenes({ symbols: genes.symbols, ids: genes.ids, find }, set.genes);
  const { renamed } = mapped;
  if (matches.length === 0) throw noGenesFound(set.name, missing);
  const symbols = matches.map(({ symbol }) => symbol);
  const total = matches.length + missing.length;
  if (set.state && matches.length < set.state.minimumGenes) {
    throw tooFewGenes(set.name, set.state.minimumGenes, symbols, missing);
  }
  return {
    rows: matches.map(({ row }) => row),
    symbols,
    missing,
    cautions: [
      ...(set.state
        ? [
            ...fewGenesOfState(set.name, matches.length, total),
            ...(mapped.mapping.by === 'table' ? [] : otherCase(set, symbols, renamed)),
          ]
        : fewGenesOfSignature(matches.length, total)),
      ...mappedCautions(
        mapped,
        set.state ? set.name : 'most of the list',
        set.state ? 'Those are left out.' : 'Those were looked up by name.',
      ),
      ...otherNameCautions(renamed, set.name),
    ],
  };
}

function tooFewGenes(
  name: string,
  minimum: number,
  symbols: readonly string[],
  missing: readonly string[],
): ApiFailure {
  const total = symbols.length + missing.length;
  return new ApiFailure(
    422,
    'too_few_genes',
    `The dataset has ${symbols.length} of the ${total} genes of ${name} (${listedNames(symbols)}). At least ${minimum} are required: fewer genes do not measure the state. To score it anyway, lower the minimum.`,
    { details: { found_genes: symbols, set_genes: total, minimum_genes: minimum } },
  );
}

function fewGenesOfState(name: string, foundCount: number, total: number): Caution[] {
  if (foundCount >= fewOfState && foundCount * 2 >= total) return [];
  return [
    {
      code: 'few-genes',
      message: `${name} is scored with ${foundCount} of its ${total} genes, the only ones in the dataset: so few genes may not measure the state. Check them one by one.`,
      numbers: { foundGenes: foundCount, setGenes: total },
    },
  ];
}

function fewGenesOfSignature(foundCount: number, total: number): Caution[] {
  if (foundCount >= fewOfSignature) return [];
  const genes = plural(foundCount, 'gene');
  const named = total === foundCount ? '' : ` of the ${total} named`;
  return [
    {
      code: 'few-genes',
      message: `The score has ${genes}${named}: it shows ${pluralWord(foundCount, 'that gene', 'those genes')} against control genes, not a shared program. Add genes.`,
      numbers: { foundGenes: foundCount, setGenes: total },
    },
  ];
}

/** The hallmark sets hold human symbols: a dataset that spells them in another case may be of another species. */
function otherCase(
  set: GeneSetToScore,
  symbols: readonly string[],
  renamed: readonly OtherName[],
): Caution[] {
  const named = new Set([...set.genes, ...renamed.map(({ gene }) => gene)]);
  const other = symbols.filter((symbol) => !named.has(symbol));
  const [example] = other;
  if (example === undefined) return [];
  const are = pluralWord(other.length, 'is', 'are');
  return [
    {
      code: 'matched-regardless-of-case',
      message: `${other.length} of the ${symbols.length} genes found of ${set.name} ${are} spelled differently in the dataset, such as ${example}. Human symbols were matched ignoring case, not by orthologs: check for missing genes with other names.`,
      numbers: { otherCase: other.length, foundGenes: symbols.length, example },
    },
  ];
}

const cacheBytes = 32 * 1024 * 1024;

export interface SignatureScores {
  /** One per cell, in shared memory; NaN outside the subset. */
  scores: Float64Array;
  controlCount: number;
}

export class SignatureScoring {
  readonly #compute: Compute;
  readonly #datasets: Pick<OpenDatasets, 'get'>;
  readonly #means: Pick<GeneMeans, 'of'>;
  readonly #masks: MaskSource;
  readonly #orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  readonly #cache = new KeptWork<SignatureScores>(cacheBytes, ({ scores }) => scores.byteLength);

  constructor(deps: {
    compute: Compute;
    datasets: Pick<OpenDatasets, 'get'>;
    means: Pick<GeneMeans, 'of'>;
    masks: MaskSource;
    orthologues: Pick<OrthologueTables, 'of' | 'version'>;
  }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#means = deps.means;
    this.#masks = deps.masks;
    this.#orthologues = deps.orthologues;
  }

  /** Throws as `scoredGenes`. */
  genesOf(dataset: Pick<Dataset, 'genes'>, set: GeneSetToScore): Promise<ScoredGenes> {
    return scoredGenes(dataset, set, this.#orthologues);
  }

  /** Version of the tables that genes are mapped by. */
  version(): Promise<string> {
    return this.#orthologues.version();
  }

  /** `rows` are the signature's genes as rows in var. Throws ApiFailure 422 when they cannot be scored. */
  async score(selection: Selection, rows: readonly number[], call: CallContext): Promise<SignatureScores> {
    // Rising rows: the order of the genes does not change the score.
    const genes = [...rows].sort((a, b) => a - b);
    const key = `${keyOfSelection(selection)}|${genes.join(',')}`;
    return this.#cache.of(key, call, async (joined) => {
      const means = await this.#means.of(selection, joined);
      const mask = await this.#masks.maskOf(selection, joined);
      const plan = planOf(means, genes);
      const parts = await runSequences(
        this.#compute,
        await this.#sums(selection, plan),
        (task, onto) => ({ ...task, onto }),
        { stage: 'Scoring the cells', call: joined },
      );
      const scores = await this.#compute.run<ScoreTask>({ kind: 'score', parts, mask }, joined);
      return { scores, controlCount: plan.controls.length };
    });
  }

  get caches(): NamedCaches {
    return [['scores', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }

  /**
   * A sequence of neighbouring genes for each thread, so that it shares disk reads. Each is cut into tasks, so that
   * other callers' figures come in between.
   */
  async #sums(selection: Selection, { genes, controls }: SignaturePlan): Promise<SumTask[][]> {
    const { threads } = this.#compute;
    const dataset = datasetOf(selection);
    const { valueStarts } = await this.#datasets.get(selection.manifest);
    const rows = Int32Array.of(...genes, ...controls).sort();
    const ofSignature = new Set(genes);
    const taskOf = (some: Int32Array): SumTask => ({
      kind: 'sum',
      dataset,
      rows: some,
      isControl: Uint8Array.from(some, (row) => (ofSignature.has(row) ? 0 : 1)),
    });
    const cut = (thread: number) => Math.round((rows.length * thread) / threads);
    return Array.from({ length: threads }, (_, thread) =>
      inBlocks(rows.slice(cut(thread), cut(thread + 1)), valueStarts).map(taskOf),
    );
  }
}

/** Groups neighbouring rows into blocks of about equal entries; a larger row forms its own. */
function inBlocks(rows: Int32Array, valueStarts: Float64Array): Int32Array[] {
  const blocks: Int32Array[] = [];
  let [start, entries] = [0, 0];
  rows.forEach((row, place) => {
    const ofRow = valueStarts[row + 1]! - valueStarts[row]!;
    if (place > start && entries + ofRow > blockEntries) {
      blocks.push(rows.slice(start, place));
      [start, entries] = [place, 0];
    }
    entries += ofRow;
  });
  if (start < rows.length) blocks.push(rows.slice(start));
  return blocks;
}

function planOf(means: Float64Array, genes: readonly number[]): SignaturePlan {
  try {
    return planSignature({ means, genes });
  } catch (error) {
    if (error instanceof NoControlGenes || error instanceof NoExpressionMeans) {
      throw new ApiFailure(422, 'not_scorable', error.message, { cause: error });
    }
    throw error;
  }
}
