import type { EndsParameters } from '@cellfolio/analysis/parameters';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { typeColumn } from '@cellfolio/model';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import type { EndSides, EndSource } from '../comparisons/index.ts';
import { cellValues, type NamedScores } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import { endCautions } from './cautions.ts';
import type { RankedEnds } from './ranked-ends.ts';
import { noEnds } from './refusals.ts';
import type { EndsTask } from './tasks.ts';
import { endLines } from './words.ts';

type Within = Parameters<EndSource['sides']>[2];

const cacheBytes = 48 * 1024 * 1024;

export class ValueRanking implements EndSource {
  readonly #compute: Compute;
  readonly #datasets: OpenDatasets;
  readonly #masks: CellMasks;
  readonly #scores: NamedScores;
  readonly #found = new KeptWork<RankedEnds>(cacheBytes, ({ sides }) => 3 * sides.byteLength);

  constructor(deps: { compute: Compute; datasets: OpenDatasets; masks: CellMasks; scores: NamedScores }) {
    this.#compute = deps.compute;
    this.#datasets = deps.datasets;
    this.#masks = deps.masks;
    this.#scores = deps.scores;
  }

  async version({ by }: EndsParameters): Promise<string> {
    const isScore = by.of === 'cell-state' || by.of === 'signature';
    return isScore ? this.#scores.version({ from: 'score', score: by }) : '';
  }

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
    return this.#found.of(key, call, async (joined) => {
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
    return [['ends', this.#found.use]];
  }

  forget(datasetId: string): void {
    this.#found.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#found.forget(() => true);
  }
}
