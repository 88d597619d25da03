import type { FigureContent, GenePlot } from '@cellfolio/contract';
import { type InputValues, type PlotInput, chartPixels, type CommonSpec } from '@cellfolio/plots';
import { inputsOf, type MapShown } from '@cellfolio/plots/content';
import { ByteCache } from '@cellfolio/store';
import type { OwnFigures } from '../ai/index.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { OpenDatasets } from '../../runtime/compute/open-datasets.ts';
import { type Waiting, JoinedWork } from '../../runtime/compute/analysis-work.ts';
import type { FoundInput, FoundInputs, DrawTask, DrawnFigure, Rendition } from './draw.ts';
import { type Catalogue, countsOf, type ReadableDatasets } from '../catalogue/index.ts';
import {
  type Selection,
  datasetOf,
  keyOfCells,
  keyOfSelection,
  keysOfDataset,
  sourceOf,
  subsetFilter,
  visitors,
} from '../selection/index.ts';
import { checkNames, type CellMasks } from '../subsets/index.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';

type Input<From extends PlotInput['from']> = Extract<PlotInput, { from: From }>;

/** Inputs that an analysis computes. */
type ResultKind = 'score' | 'markers' | 'enrichment';

/** Finds the inputs of one kind; the analysis that computes them hands it in. */
interface ResultInputs<From extends ResultKind> {
  /** What a result depends on besides the cells and the input: the version of the library that it takes genes from. */
  version(input: Input<From>): Promise<string>;
  /** Throws ApiFailure where the analysis fails. */
  find(selection: Selection, input: Input<From>, waiting: Waiting): Promise<InputValues[From]>;
}

/** What is asked of the inputs of a figure besides its content. */
interface AskedInputs {
  readonly known?: KnownResults;
  readonly shown?: MapShown;
}

/** Results that whoever wants a figure of them has already. */
type KnownResults = { readonly [Kind in ResultKind]?: InputValues[Kind] };

interface FigureInputDeps {
  readonly datasets: OpenDatasets;
  readonly score: ResultInputs<'score'>;
  readonly markers: ResultInputs<'markers'>;
  readonly enrichment: ResultInputs<'enrichment'>;
}

/** Finds what a figure needs, by names, for the thread that draws it: rows, scores and results. */
export class FigureInputs {
  readonly #deps: FigureInputDeps;

  constructor(deps: FigureInputDeps) {
    this.#deps = deps;
  }

  /** What a figure depends on besides the cells and its content: the versions of the libraries that it takes genes from. */
  async version(content: FigureContent): Promise<string> {
    const { score, markers, enrichment } = this.#deps;
    const versions = Object.values(inputsOf(content))
      .flat()
      .map(async (input: PlotInput) => {
        if (input.from === 'score') return score.version(input);
        if (input.from === 'markers') return markers.version(input);
        return input.from === 'enrichment' ? enrichment.version(input) : '';
      });
    return (await Promise.all(versions)).join('');
  }

  /**
   * What is among the `known` results is not computed again, and the embedding is the one that is to be shown. Throws ApiFailure where a name is not in the dataset or the
   * analysis behind the figure fails.
   */
  async find(
    selection: Selection,
    content: FigureContent,
    waiting: Waiting,
    asked: AskedInputs = {},
  ): Promise<FoundInputs> {
    const find = (input: PlotInput) => this.#find(selection, input, waiting, asked);
    const found = Object.entries(inputsOf(content)).map(
      async ([name, input]) =>
        [
          name,
          await (Array.isArray(input) ? Promise.all(input.map(find)) : find(input as PlotInput)),
        ] as const,
    );
    return Object.fromEntries(await Promise.all(found));
  }

  async #find(
    selection: Selection,
    input: PlotInput,
    waiting: Waiting,
    { known = {}, shown = {} }: AskedInputs,
  ): Promise<FoundInput> {
    switch (input.from) {
      case 'embedding':
        return this.#embedding(selection, shown);
      case 'obs':
        return this.#obs(selection, input);
      case 'gene':
        return { from: 'gene', row: await this.#row(selection, input.gene) };
      case 'column':
        return this.#column(selection, input);
      case 'score':
        return result(known.score ?? (await this.#deps.score.find(selection, input, waiting)));
      case 'markers':
        return result(known.markers ?? (await this.#deps.markers.find(selection, input, waiting)));
      case 'enrichment':
        return result(known.enrichment ?? (await this.#deps.enrichment.find(selection, input, waiting)));
    }
  }

  async #embedding({ manifest }: Selection, { embedding, axes }: MapShown): Promise<FoundInput> {
    const name = embedding ?? manifest.roles.embedding;
    // A dataset without an embedding is told so where it is drawn.
    if (name === undefined || (embedding === undefined && axes === undefined)) return { from: 'embedding' };
    const dataset = await this.#deps.datasets.get(manifest);
    const found = dataset.embeddings.find((one) => one.name === name);
    const quoted = JSON.stringify(name);
    if (found === undefined) {
      throw new ApiFailure(400, 'column_not_found', `The dataset has no embedding ${quoted}.`);
    }
    const { dimensions } = found;
    if (Math.max(...(axes ?? [0, 1])) >= dimensions) {
      throw new ApiFailure(
        400,
        'column_not_found',
        `The embedding ${quoted} has ${dimensions} ${dimensions === 1 ? 'dimension' : 'dimensions'}, the first is 0.`,
      );
    }
    return { from: 'embedding', name, ...(axes && { axes }) };
  }

  async #row({ manifest }: Selection, gene: string): Promise<number> {
    const row = (await this.#deps.datasets.get(manifest)).genes.find(gene);
    if (row === undefined) {
      throw new ApiFailure(400, 'gene_not_found', `The dataset has no gene ${JSON.stringify(gene)}.`);
    }
    return row;
  }

  async #obs({ manifest }: Selection, input: Input<'obs'>): Promise<FoundInput> {
    const dataset = await this.#deps.datasets.get(manifest);
    if (!dataset.obsColumnNames.includes(input.column)) {
      throw new ApiFailure(
        400,
        'column_not_found',
        `The dataset has no column ${JSON.stringify(input.column)} of obs.`,
      );
    }
    return input;
  }

  /** Checks the names of the categories that are asked for. */
  async #column({ manifest }: Selection, input: Input<'column'>): Promise<FoundInput> {
    const { of, chosen = [] } = input;
    if (of !== 'groups') {
      const dataset = await this.#deps.datasets.get(manifest);
      const what = of === 'cellType' ? 'cell type' : 'cluster';
      checkNames(what, chosen, await countsOf(dataset, manifest.roles[of]));
    }
    return input;
  }
}

function result(value: InputValues[ResultKind]): FoundInput {
  return { from: 'result', value };
}

/** Figures by what they show: cached, drawn once for all who ask at the same time, off the event loop. */
export class FigureService {
  readonly #cache: ByteCache<string, DrawnFigure>;
  readonly #running = new JoinedWork<DrawnFigure>();
  readonly #compute: Compute;
  readonly #inputs: Pick<FigureInputs, 'find' | 'version'>;
  readonly #masks: Pick<CellMasks, 'maskOf'>;

  constructor(
    deps: {
      compute: Compute;
      inputs: Pick<FigureInputs, 'find' | 'version'>;
      masks: Pick<CellMasks, 'maskOf'>;
    },
    cacheBytes: number,
  ) {
    this.#compute = deps.compute;
    this.#inputs = deps.inputs;
    this.#masks = deps.masks;
    this.#cache = new ByteCache(cacheBytes, ({ bytes }) => bytes.byteLength + specBytes);
  }

  /** Of `known` results where whoever asks has them. Throws ApiFailure, ComputeFailure. */
  async draw(
    selection: Selection,
    content: FigureContent,
    waiting: Waiting,
    { format = 'png', view, range, shown, theme, ...known }: Partial<Rendition> & KnownResults = {},
  ): Promise<DrawnFigure> {
    const rendition = {
      format,
      ...(view && { view }),
      ...(range && { range }),
      ...(shown && { shown }),
      ...(theme && { theme }),
    };
    const key = `${keyOfFigure(selection, content, rendition)}|${await this.#inputs.version(content)}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    return this.#running.run(key, waiting, async (joined) => {
      const [mask, inputs] = await Promise.all([
        this.#masks.maskOf(selection, joined),
        this.#inputs.find(selection, content, joined, { known, ...(shown && { shown }) }),
      ]);
      const dataset = datasetOf(selection);
      const subset = selection.subset?.subset_group_name;
      const figure = await this.#compute.run<DrawTask>(
        {
          kind: 'draw',
          // Somebody waits for a card; a file may take its time.
          isLong: format !== 'png' && view === undefined,
          dataset,
          mask,
          plot: content.kind,
          inputs,
          ...rendition,
          ...(subset !== undefined && { subset }),
        },
        joined,
      );
      this.#cache.set(key, figure);
      return figure;
    });
  }

  get caches(): NamedCaches {
    return [['figures', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }

  /** Keeps no figure any more. */
  forgetAll(): void {
    this.#cache.forget(() => true);
  }
}

/** How many figures one call draws at the same time: more would only wait for threads, and be looked through for each. */
export const figuresAtOnce = { concurrency: 8 };

/** Allowance for the spec of a figure, which is a few kilobytes of text. */
const specBytes = 8 * 1024;

/**
 * Visible cache key: dataset, its version, the cells and the name that stands in the figure for them, what it shows, and
 * how: the format, the size, ratio and theme of a view, the range that was asked for, and what of a map is shown.
 */
function keyOfFigure(
  selection: Selection,
  content: FigureContent,
  { format, view, range, shown, theme }: Rendition,
): string {
  const name = selection.subset?.subset_group_name ?? '';
  const how = [
    format,
    ...(theme ? [theme] : []),
    ...(view ? [JSON.stringify(view)] : []),
    ...(range ? [JSON.stringify(range)] : []),
    ...(shown ? [JSON.stringify(shown)] : []),
  ];
  const shows =
    'selection' in content && content.selection
      ? { ...content, selection: keyOfCells(content.selection) }
      : content;
  return `${keyOfSelection(selection)}|${how.join(' ')}|${JSON.stringify([name, shows])}`;
}

/** A drawn PNG as the calls answer it, with what names it. */
export function figureAnswer(
  selection: Selection,
  content: FigureContent,
  figure: DrawnFigure,
): Pick<GenePlot, 'image' | 'figure' | 'source'> {
  const { width, height, spec } = figure;
  return {
    image: { value: `data:image/png;base64,${base64Of(figure)}`, width, height },
    figure: spec,
    source: sourceOf(selection, content),
  };
}

export function base64Of({ bytes }: DrawnFigure): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Pixels of a chart, as a dot plot, in the file for print. */
export function printPixels({ spec }: DrawnFigure): { width: number; height: number } {
  return chartPixels(spec['size'] as CommonSpec['size'], 'print');
}

const umapPath = /^\/api\/datasets\/([^/]+)\/umap\.png$/;

/** The figures that an analysis may be of: UMAPs of the catalogue, and whatever the explorer drew for the user. */
export function ownFigures({
  catalogue,
  readable,
  figures,
}: {
  catalogue: Pick<Catalogue, 'manifest'>;
  readable: Pick<ReadableDatasets, 'manifest'>;
  figures: Pick<FigureService, 'draw'>;
}): OwnFigures {
  return {
    imageAt: (path, signal) =>
      orNothing(async () => {
        const id = decoded(umapPath.exec(path)?.[1]);
        if (id === undefined) return undefined;
        // An address says nothing of who asks, so that of somebody's own dataset is none here.
        const manifest = await catalogue.manifest(id);
        const { bytes, spec } = await figures.draw(
          { manifest, subset: undefined },
          { kind: 'category-umap' },
          waiting(signal, visitors),
        );
        return { bytes, mediaType: 'image/png', figure: spec };
      }),
    specOf: (source, userId, signal) =>
      orNothing(async () => {
        const manifest = await readable.manifest(userId, source.dataset_filename);
        // Other data would have other numbers than the picture.
        if (source.version !== undefined && source.version !== manifest.version) return undefined;
        const subset = source.subset && subsetFilter(source.subset);
        const { spec } = await figures.draw(
          { manifest, subset },
          source.content,
          waiting(signal, () => [userId]),
        );
        return spec;
      }),
  };
}

function waiting(signal: AbortSignal, users: () => readonly string[]): Waiting {
  return { signal, users, onProgress: () => undefined };
}

/** What is not there, or cannot be drawn from the data, is no figure of ours. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiFailure) return undefined;
    throw error;
  }
}

function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
