import {
  type MapCell,
  type MapColor,
  type MapColumnList,
  mapPointLimits,
  type MapPoints,
} from '@cellfolio/contract';
import { countText } from '@cellfolio/model';
import type { ScoreChoice } from '@cellfolio/figures';
import type { Dataset } from '@cellfolio/store';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import { KeptWork } from '../../runtime/compute/kept-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import { type OpenDatasets, requireColumn } from '../../runtime/compute/open-datasets.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import type { NamedScores } from '../scores/index.ts';
import { datasetOf, keyOfSelection, keysOfDataset, type Selection } from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { PointsTask, SampledPoints } from './points-task.ts';
import type { CellTask, ColumnListTask, ColumnSource, ColumnTask } from './tasks.ts';

export type RequestedColumn =
  | Extract<ColumnSource, { from: 'embedding' }>
  | { from: 'obs' | 'gene'; name: string }
  | { from: 'score'; score: ScoreChoice }
  | { from: 'mask' };

interface ColumnDeps {
  compute: Compute;
  datasets: Pick<OpenDatasets, 'get'>;
  masks: Pick<CellMasks, 'maskOf'>;
  scores: Pick<NamedScores, 'of' | 'version'>;
}

/** Columns of datasets in the packed form that maps draw; cached, with concurrent requests sharing one computation. */
export class MapColumns {
  readonly #deps: ColumnDeps;
  readonly #cache: KeptWork<Uint8Array>;
  readonly #points: KeptWork<SampledPoints>;

  constructor(deps: ColumnDeps, cacheBytes: number) {
    this.#deps = deps;
    this.#cache = new KeptWork(cacheBytes, ({ byteLength }) => byteLength);
    this.#points = new KeptWork(
      cacheBytes / 4,
      ({ places, positions, values }) =>
        places.byteLength + positions.byteLength + (values?.codes.byteLength ?? 0),
    );
  }

  /**
   * The column in the wire format of `packages/columns`, gzipped. Scores and masks cover the cells of the selection,
   * other columns all cells. Throws ApiFailure 404 for a column or gene that the dataset does not have.
   */
  async packed(selection: Selection, request: RequestedColumn, call: CallContext): Promise<Uint8Array> {
    const { compute, scores } = this.#deps;
    const library = request.from === 'score' ? await scores.version(request) : '';
    const key = `${keyOfSelection(selection)}|${JSON.stringify(request)}|${library}`;
    return this.#cache.of(key, call, async (joined) => {
      const source = await this.#source(selection, request, joined);
      const task: ColumnTask = { kind: 'column', dataset: datasetOf(selection), source };
      return compute.run<ColumnTask>(task, joined);
    });
  }

  async list(selection: Selection, call: CallContext): Promise<MapColumnList> {
    const task: ColumnListTask = { kind: 'column-list', dataset: datasetOf(selection) };
    const list = await this.#deps.compute.run<ColumnListTask>(task, call);
    const own = new Set(selection.own?.map(({ name }) => name));
    if (own.size === 0) return list;
    const marked = (column: MapColumnList['obs'][number]) =>
      own.has(column.name) ? { ...column, own: true as const } : column;
    return { ...list, obs: list.obs.map(marked) };
  }

  /** A piece of the points of the chosen cells. Throws ApiFailure 404 for an unknown embedding, column or gene. */
  async points(
    selection: Selection,
    { embedding, color, from }: { embedding: string | undefined; color: MapColor | undefined; from: number },
    call: CallContext,
  ): Promise<MapPoints> {
    const { version, roles } = selection.manifest;
    const name = embedding ?? roles.embedding;
    if (name === undefined) throw notFound('column_not_found', 'The dataset has no embedding.');
    const of = (request: RequestedColumn, joined: CallContext) => this.#source(selection, request, joined);
    const key = `${keyOfSelection(selection)}|${JSON.stringify([name, color])}`;
    const all = await this.#points.of(key, call, async (joined) => {
      const task: PointsTask = {
        kind: 'map-points',
        dataset: datasetOf(selection),
        embedding: (await of({ from: 'embedding', name, axes: [0, 1] }, joined)) as PointsTask['embedding'],
        color: color && ((await of(requestOf(color), joined)) as PointsTask['color']),
        mask: selection.subset && ((await of({ from: 'mask' }, joined)) as PointsTask['mask']),
      };
      return this.#deps.compute.run<PointsTask>(task, joined);
    });
    return { version, embedding: name, ...pieceOf(all, from) };
  }

  /** Exact values of one cell. Throws ApiFailure 404 for an unknown place, column or gene. */
  async cell(
    selection: Selection,
    { place, obs, genes }: { place: number; obs: readonly string[]; genes: readonly string[] },
    call: CallContext,
  ): Promise<MapCell> {
    const { compute, datasets } = this.#deps;
    const dataset = await datasets.get(datasetOf(selection));
    for (const name of obs) requireColumn(dataset, name);
    const task: CellTask = {
      kind: 'cell',
      dataset: datasetOf(selection),
      place,
      obs,
      genes: genes.map((gene) => geneRow(dataset, gene)),
    };
    const cellValues = await compute.run<CellTask>(task, call);
    if (cellValues) return cellValues;
    throw notFound(
      'cell_not_found',
      `There is no place ${place}: the dataset has ${countText(dataset.manifest.cellCount)} cells.`,
    );
  }

  async #source(selection: Selection, request: RequestedColumn, call: CallContext): Promise<ColumnSource> {
    const { datasets, masks, scores } = this.#deps;
    const dataset = await datasets.get(datasetOf(selection));
    switch (request.from) {
      case 'embedding':
        requireAxes(dataset, request);
        return request;
      case 'obs':
        requireColumn(dataset, request.name);
        return { from: 'obs', name: request.name };
      case 'gene':
        return { from: 'gene', row: geneRow(dataset, request.name) };
      case 'score':
        return { from: 'score', scores: (await scores.of(selection, request.score, call)).scores };
      case 'mask': {
        const mask = await masks.maskOf(selection, call);
        const { cellCount } = selection.manifest;
        return { from: 'mask', mask: mask ?? { bits: new Uint8Array(cellCount).fill(1), count: cellCount } };
      }
    }
  }

  get caches(): NamedCaches {
    return [
      ['map-columns', this.#cache.use],
      ['map-points', this.#points.use],
    ];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
    this.#points.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#cache.forget(() => true);
    this.#points.forget(() => true);
  }
}

function requestOf(color: MapColor): RequestedColumn {
  return 'gene' in color ? { from: 'gene', name: color.gene } : { from: 'obs', name: color.column };
}

function pieceOf(
  { cells, placed, every, places, positions, values }: SampledPoints,
  from: number,
): Omit<MapPoints, 'version' | 'embedding'> {
  const end = Math.min(places.length, from + mapPointLimits.call);
  return {
    cells,
    placed,
    every,
    points: places.length,
    from,
    next_from: end < places.length ? end : null,
    positions: base64Of(positions.subarray(2 * from, 2 * end)),
    places: base64Of(places.subarray(from, end)),
    ...(values && {
      values: {
        kind: values.kind,
        width: values.codes.BYTES_PER_ELEMENT as 1 | 2,
        bytes: base64Of(values.codes.subarray(from, end)),
        ...(values.levelValues && {
          level_values: Array.from(values.levelValues, (value) => (Number.isNaN(value) ? null : value)),
        }),
      },
    }),
  };
}

function base64Of({ buffer, byteOffset, byteLength }: Uint8Array | Uint16Array | Uint32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

function requireAxes(
  dataset: Dataset,
  { name, axes }: { name: string; axes: readonly [number, number] },
): void {
  const match = dataset.embeddings.find((embedding) => embedding.name === name);
  if (!match) throw notFound('column_not_found', `The dataset has no embedding ${JSON.stringify(name)}.`);
  if (Math.max(...axes) < match.dimensions) return;
  throw notFound(
    'column_not_found',
    `The embedding ${JSON.stringify(name)} has ${match.dimensions} dimensions, the first is 0.`,
  );
}

function geneRow(dataset: Dataset, gene: string): number {
  const row = dataset.genes.find(gene);
  if (row !== undefined) return row;
  throw notFound('gene_not_found', `The dataset has no gene ${JSON.stringify(gene)}.`);
}

function notFound(code: string, message: string): ApiFailure {
  return new ApiFailure(404, code, message);
}
