import { createHash } from 'node:crypto';
import type { FigureContent, GenePlot } from '@cellfolio/contract';
import { type CellNumbers, cellNumbers, chartPixels, type CommonSpec } from '@cellfolio/figures';
import { ByteCache } from '@cellfolio/store';
import { JoinedWork, type CallContext } from '../../runtime/compute/analysis-work.ts';
import type { Compute } from '../../runtime/compute/compute-pool.ts';
import type { NamedCaches } from '../../runtime/observability/observed.ts';
import {
  datasetOf,
  displaysIn,
  keyOfSelection,
  keysOfDataset,
  type Selection,
  sourceOf,
  withShortCells,
} from '../selection/index.ts';
import type { CellMasks } from '../subsets/index.ts';
import type { DrawnFigure, DrawTask, Rendition } from './draw.ts';
import type { ResolvedInputs } from './input-values.ts';
import type { FigureInputs, ReadyResults } from './figure-inputs.ts';

/** Requested settings; undefined counts as absent. */
type Optional<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** Figures by content: cached, drawn once for concurrent callers, off the event loop. */
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

  /** Uses the caller's `readyResults`. Throws ApiFailure, ComputeFailure. */
  async draw(
    baseSelection: Selection,
    content: FigureContent,
    call: CallContext,
    {
      format = 'png',
      view,
      range,
      order,
      shown,
      file,
      theme,
      ...readyResults
    }: Optional<Rendition> & ReadyResults = {},
  ): Promise<DrawnFigure> {
    const rendition = {
      format,
      ...(view && { view }),
      ...(range && { range }),
      ...(order && { order }),
      ...(shown && { shown }),
      ...(file && { file }),
      ...(theme && { theme }),
    };
    const displays = displaysIn(baseSelection, content);
    const selection = { ...baseSelection, displays };
    const key = `${keyOfFigure(selection, content, rendition)}|${await this.#inputs.version(content)}`;
    const cached = this.#cache.get(key);
    if (cached) return cached;
    return this.#running.run(key, call, async (joined) => {
      const [mask, inputs] = await Promise.all([
        this.#masks.maskOf(selection, joined),
        this.#inputs.find(selection, content, joined, { readyResults, ...(shown && { shown }) }),
      ]);
      const dataset = datasetOf(selection);
      const subset = selection.subset?.subset_group_name;
      const figure = await this.#compute.run<DrawTask>(
        {
          kind: 'draw',
          // Somebody waits for a card; a file may take its time, as may a figure of many genes.
          isLong: (format !== 'png' && view === undefined) || Object.values(inputs).some(isLongList),
          dataset,
          mask,
          content,
          inputs,
          ...rendition,
          ...(subset !== undefined && { subset }),
          ...(displays.length > 0 && { displays }),
        },
        joined,
      );
      this.#cache.set(key, figure);
      return figure;
    });
  }

  /**
   * The number by which a map of a result colours each cell, NaN when missing, and its description. Throws ApiFailure.
   */
  async cellNumbers(selection: Selection, content: FigureContent, call: CallContext): Promise<CellNumbers> {
    const inputs = Object.entries(await this.#inputs.find(selection, content, call));
    const results = inputs.map(
      ([name, input]) => [name, 'value' in input ? input.value : undefined] as const,
    );
    return cellNumbers(content, Object.fromEntries(results));
  }

  get caches(): NamedCaches {
    return [['figures', this.#cache.use]];
  }

  forget(datasetId: string): void {
    this.#cache.forget(keysOfDataset(datasetId));
  }

  releaseMemory(): void {
    this.#cache.forget(() => true);
  }
}

function isLongList(input: ResolvedInputs[string]): boolean {
  return Array.isArray(input) && input.length > 8;
}

/** Maximum number of figures that one call draws concurrently: more would only wait for threads. */
export const figuresAtOnce = { concurrency: 8 };

/** Memory allowance for the spec of a figure, which is a few kilobytes of text. */
const specBytes = 8 * 1024;

/**
 * Visible cache key: dataset, version, cells and their name in the figure, content, and rendition: format, size, ratio
 * and theme of a view, range, order, parts of a map, and the order and colours of its categories, which two users with
 * the same ones share.
 */
function keyOfFigure(
  selection: Selection,
  content: FigureContent,
  { format, view, range, order, shown, file, theme }: Rendition,
): string {
  const displays = (selection.displays ?? []).map(({ column, categories }) => [column, categories]);
  const name = selection.subset?.subset_group_name ?? '';
  const how = [
    format,
    ...(theme ? [theme] : []),
    ...(view ? [JSON.stringify(view)] : []),
    ...(range ? [JSON.stringify(range)] : []),
    ...(order ? [JSON.stringify({ order })] : []),
    ...(shown ? [JSON.stringify(shown)] : []),
    ...(file ? [JSON.stringify({ file })] : []),
    ...(displays.length > 0
      ? [createHash('sha256').update(JSON.stringify(displays)).digest('base64url')]
      : []),
  ];
  return `${keyOfSelection(selection)}|${how.join(' ')}|${JSON.stringify([name, content], withShortCells)}`;
}

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

function base64Of({ bytes }: DrawnFigure): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

type FigureFields<Name extends string, Drawn> = Readonly<
  Record<`${Name}_image`, string> &
    Record<`${Name}_width` | `${Name}_height`, number> &
    Partial<Record<`${Name}_print`, { width: number; height: number }>>
> & { figure: Drawn extends DrawnFigure ? DrawnFigure['spec'] : null };

/** The figure of a response with its pixel size for print; empty and null when nothing was drawn. */
export function figureFields<const Name extends string, Drawn extends DrawnFigure | undefined>(
  name: Name,
  figure: Drawn,
): FigureFields<Name, Drawn> {
  return {
    [`${name}_image`]: figure ? base64Of(figure) : '',
    [`${name}_width`]: figure?.width ?? 0,
    [`${name}_height`]: figure?.height ?? 0,
    ...(figure && { [`${name}_print`]: chartPixels(figure.spec['size'] as CommonSpec['size'], 'print') }),
    figure: figure?.spec ?? null,
  } as unknown as FigureFields<Name, Drawn>;
}
