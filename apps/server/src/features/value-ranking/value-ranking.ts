import type { EndsRequest } from '@cellfolio/analyses/serve';
import type { EndsParameters } from '@cellfolio/analysis/parameters';
import {
  type CellMask,
  typeColumn,
  countText,
  percentText,
  listedNames,
  type ResultCaution,
} from '@cellfolio/model';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import { requestedSamples, type SampleColumn } from '../../runtime/sample-column.ts';
import { cellValues, type NamedScores } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { endCautions } from './cautions.ts';
import { type RankedEnds, comparedSamples, endCount, type RankedSample } from './ranked-ends.ts';
import { noEnds } from './refusals.ts';
import type { EndsTask } from './tasks.ts';

interface Within {
  samples: SampleColumn | undefined;
  minCells: number;
}

export interface EndSides {
  a: CellMask;
  b: CellMask;
  /** Rows of the genes that chose the cells, and so carry no further information about them. */
  untested: readonly number[];
  lines: readonly string[];
  cautions: readonly ResultCaution[];
}

const cacheBytes = 48 * 1024 * 1024;

/** The cells with the highest and the lowest values of something. */
export class ValueRanking {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #scores: NamedScores;
  readonly #ends = new KeptWork<RankedEnds>(cacheBytes, ({ sides }) => 3 * sides.byteLength);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks; scores: NamedScores }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#scores = deps.scores;
  }

  /** Version of the gene library, on which ends depend besides the cells. */
  async version({ by }: EndsParameters): Promise<string> {
    const isScore = by.of === 'cell-state' || by.of === 'signature';
    return isScore ? this.#scores.version({ from: 'score', score: by }) : '';
  }

  /** The ends as sides of a comparison. Throws as `find`. */
  async sides(
    selection: Selection,
    ends: EndsParameters,
    within: Within,
    call: CallContext,
  ): Promise<EndSides> {
    const rankedEnds = await this.find(selection, ends, within, call);
    return {
      a: rankedEnds.high,
      b: rankedEnds.low,
      untested: rankedEnds.untested.map(({ row }) => row),
      lines: endLines(rankedEnds),
      cautions: endCautions(rankedEnds),
    };
  }

  /** Ends within the samples that a request names, or those of the dataset. Throws as `find`. */
  async within(
    selection: Selection,
    { by, share, samples: named, min_sample_cells: minCells }: EndsRequest,
    call: CallContext,
  ): Promise<RankedEnds> {
    const { samples } = await requestedSamples(await this.#datasets.get(datasetOf(selection)), named);
    return this.find(selection, { by, share }, { samples, minCells }, call);
  }

  /** Throws ApiFailure 400 for a name that the dataset does not have, 422 for genes that cannot be scored, or without ends. */
  async find(
    selection: Selection,
    ends: EndsParameters,
    within: Within,
    call: CallContext,
  ): Promise<RankedEnds> {
    const { samples, minCells } = within;
    const named = [ends, await this.version(ends), samples, minCells];
    const key = `${keyOfSelection(selection)}|${JSON.stringify(named)}`;
    return this.#ends.of(key, call, async (joined) => {
      joined.onProgress({ stage: 'Ranking the cells', done: 0, total: 1 });
      const deps = { datasets: this.#datasets, scores: this.#scores };
      const by = { choice: ends.by, field: 'by' };
      const values = await cellValues(deps, selection, by, joined);
      const groupColumn = typeColumn(selection.manifest);
      const cellEnds = await this.#compute.run<EndsTask>(
        {
          kind: 'value-ends',
          dataset: datasetOf(selection),
          mask: await this.#masks.maskOf(selection, joined),
          source: values.source,
          samples: samples?.column,
          groups: groupColumn,
          share: ends.share,
          minCells,
        },
        joined,
      );
      const all = {
        ...cellEnds,
        title: values.title,
        rankedBy: values.name,
        untested: values.genes,
        scoreCautions: values.cautions,
        share: ends.share,
        minCells,
        sampleColumn: samples,
        groupColumn,
      };
      if (cellEnds.high.count === 0) throw noEnds(all);
      return all;
    });
  }

  get caches(): NamedCaches {
    return [['ends', this.#ends.use]];
  }

  forget(datasetId: string): void {
    this.#ends.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#ends.forget(() => true);
  }
}

const maxNamesListed = 200;

function endLines(ends: RankedEnds): string[] {
  const { rankedBy, share, sampleColumn, untested, composition, groupColumn, minCells } = ends;
  const where = sampleColumn ? ` within each sample (${sampleColumn.column})` : '';
  const words = (side: 'high' | 'low') => {
    const { cells, share: part, tied } = endCount(ends, side);
    return `${countText(cells)} cells, ${percentText(part)} of those ranked, ${countText(tied)} of them tied with the last one taken`;
  };
  return [
    `Cells: ranked by ${rankedBy}${where}; each end has ${share} % of the cells of a sample and all that are tied with the last one taken; a value that reaches into both ends belongs to the end whose extreme it is`,
    `Ends: A, the highest, ${words('high')}; B, the lowest, ${words('low')}`,
    ...(sampleColumn ? [sampleLine(ends)] : []),
    ...(sampleColumn ? [`Samples of fewer than ${minCells} cells in an end were left out`] : []),
    ...(composition && groupColumn !== undefined
      ? [
          `Composition of the ends by ${groupColumn}: total variation distance ${composition.distance.toFixed(3)}`,
        ]
      : []),
    ...(untested.length > 0
      ? [
          `Not tested, as they chose the cells: ${listedNames(
            untested.map(({ symbol }) => symbol),
            maxNamesListed,
          )}`,
        ]
      : []),
  ];
}

function sampleLine(ends: RankedEnds): string {
  const sample = ({ name, cells, high, low }: RankedSample) =>
    `${name} (${countText(high.cells)} and ${countText(low.cells)} of ${countText(cells)})`;
  const compared = comparedSamples(ends).map(sample);
  const left = ends.samples.filter(({ leftOut }) => leftOut !== undefined).map(sample);
  return `Highest and lowest cells by sample: ${listedNames(compared, maxNamesListed)}${left.length > 0 ? `; left out: ${listedNames(left, maxNamesListed)}` : ''}`;
}
