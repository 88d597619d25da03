import { type FigureContent, partTitles } from '@cellfolio/contract';
import {
  type CategoricalColumn,
  type Embedding,
  expressionUnit,
  isCategorical,
  quotedHead,
  typeColumn,
} from '@cellfolio/model';
import { columnPalette, geneLines, type InputValues, type PlotInput } from '@cellfolio/figures';
import { eachLimited } from '@cellfolio/store';
import type { DisplayedDataset } from '../../runtime/compute/category-display.ts';
import { columnUnit } from '../../runtime/column-names.ts';
import { categoricalColumn } from '../../runtime/compute/open-datasets.ts';

export type ResolvedInputs = Readonly<Record<string, ResolvedInput | readonly ResolvedInput[]>>;

export type ResolvedInput =
  | Extract<PlotInput, { from: 'column' | 'obs' | 'components' }>
  /** Default: the embedding of the dataset and its first two axes. `name` is a key in obsm. */
  | { from: 'embedding'; name?: string; axes?: readonly [number, number] }
  | { from: 'gene'; row: number }
  | (Extract<PlotInput, { from: 'gene-sums' | 'gene-lines' }> & { row: number })
  | { from: 'result'; value: InputValues[ResultKind] };

export type ResultKind = Exclude<
  keyof InputValues,
  'embedding' | 'components' | 'gene' | 'gene-sums' | 'gene-lines' | 'column' | 'obs'
>;

/** A figure that cannot be drawn from this dataset; the message tells the user why. */
export class NotDrawable extends Error {
  override readonly name = 'NotDrawable';
}

export async function inputValues(
  { content, inputs }: { content: FigureContent; inputs: ResolvedInputs },
  dataset: DisplayedDataset,
  setting: Parameters<typeof geneLines>[2],
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const values = await Promise.all(
    Object.entries(inputs).map(
      async ([name, input]) =>
        [
          name,
          await (!isList(input)
            ? valueOf(input, dataset, signal)
            : input[0]?.from === 'gene-lines'
              ? linesOf(
                  input,
                  { dataset, setting, content, groups: inputs['groups'] as ResolvedInput },
                  signal,
                )
              : valuesOf(input, { dataset, isWhole: setting.mask === undefined }, signal)),
        ] as const,
    ),
  );
  return Object.fromEntries(values);
}

/** Reduces the genes of a heatmap one after the other, reusing the same memory. */
async function linesOf(
  list: readonly ResolvedInput[],
  {
    dataset,
    setting,
    content,
    groups,
  }: {
    dataset: DisplayedDataset;
    setting: Parameters<typeof geneLines>[2];
    content: FigureContent;
    groups: ResolvedInput;
  },
  signal: AbortSignal,
): Promise<InputValues['gene-lines'][]> {
  const by = content.kind === 'heatmap' ? content.by : undefined;
  const column = (await valueOf(groups, dataset, signal)) as InputValues['column'] | InputValues['obs'];
  const keep = geneLines(column, by, setting);
  const sums = await sumsOf(list, { dataset, isWhole: setting.mask === undefined }, signal);
  const values = new Array<InputValues['gene-lines']>(list.length);
  // One is read while the other is looked through.
  await eachLimited(list.length, 2, async (i) => {
    const { row } = list[i] as SummedInput;
    await dataset.useGeneBlock(
      row,
      row + 1,
      (block) => {
        values[i] = { ...nameOf(row, dataset), lines: keep(block, sums[i]?.sums) };
      },
      signal,
    );
  });
  return values;
}

type InputValue = InputValues[keyof InputValues];

function isList(input: ResolvedInputs[string]): input is readonly ResolvedInput[] {
  return Array.isArray(input);
}

/** Genes of a list that are read concurrently; their memory is reused for the next. */
const readAtOnce = 4;

interface FigureCells {
  dataset: DisplayedDataset;
  /** Whether the figure covers all cells, whose sums may be stored. */
  isWhole: boolean;
}

async function valuesOf(
  list: readonly ResolvedInput[],
  { dataset, isWhole }: FigureCells,
  signal: AbortSignal,
): Promise<InputValue[]> {
  const values = new Array<InputValue>(list.length);
  const sums = await sumsOf(list, { dataset, isWhole }, signal);
  await eachLimited(list.length, readAtOnce, async (i) => {
    values[i] = sums[i] ?? (await valueOf(list[i]!, dataset, signal));
  });
  return values;
}

async function valueOf(
  input: ResolvedInput,
  dataset: DisplayedDataset,
  signal: AbortSignal,
): Promise<InputValue> {
  switch (input.from) {
    case 'embedding':
      return embeddingOf(dataset, input, signal);
    case 'components': {
      const isThere = dataset.embeddings.some(({ name }) => name === componentsKey);
      return isThere ? dataset.embedding(componentsKey, signal) : null;
    }
    case 'gene':
    case 'gene-sums':
    case 'gene-lines':
      return { ...nameOf(input.row, dataset), gene: await dataset.gene(input.row, signal) };
    case 'column': {
      const { of, chosen = [] } = input;
      if (of === 'groups') return { ...(await groupsOf(dataset, signal)), chosen };
      return { ...named(of), ...(await roleColumn(dataset, of, signal)), chosen };
    }
    case 'obs':
      return obsColumn(dataset, input.column, signal);
    case 'result':
      return input.value;
  }
}

function nameOf(row: number, { genes, manifest }: DisplayedDataset) {
  return { symbol: genes.symbols[row] ?? String(row), unit: expressionUnit(manifest.expression) };
}

type SummedInput = Extract<ResolvedInput, { from: 'gene-sums' | 'gene-lines' }>;
type StoredSums = Extract<InputValues['gene-sums'], { sums: unknown }>;

/** Stored sums of genes in the groups; requested together, as many of them are in the same chunk. */
async function sumsOf(
  list: readonly ResolvedInput[],
  { dataset, isWhole }: FigureCells,
  signal: AbortSignal,
): Promise<(StoredSums | undefined)[]> {
  return Promise.all(
    list.map((input) =>
      isWhole && (input.from === 'gene-sums' || input.from === 'gene-lines')
        ? storedSums(input, dataset, signal)
        : undefined,
    ),
  );
}

/** Undefined when nothing is stored, or when the stored sums count differently from a figure. */
async function storedSums(
  { row, by }: SummedInput,
  dataset: DisplayedDataset,
  signal: AbortSignal,
): Promise<StoredSums | undefined> {
  const { expression } = dataset.manifest;
  // Scaled values can be negative: such a cell does not express the gene, though its value is not zero.
  if (expression.state !== 'log-normalised' && expression.state !== 'normalised-here') return undefined;
  const column = by ?? typeColumn(dataset.manifest);
  const read = column === undefined ? undefined : await dataset.geneStatistics(column, signal);
  const sums = await read?.(row, signal);
  return sums?.sums.every(Number.isFinite) ? { ...nameOf(row, dataset), sums } : undefined;
}

/** Key under which scanpy stores principal components; also used for those computed for uploads. */
const componentsKey = 'X_pca';

async function embeddingOf(
  dataset: DisplayedDataset,
  { name = dataset.manifest.roles.embedding, axes }: Extract<ResolvedInput, { from: 'embedding' }>,
  signal: AbortSignal,
): Promise<Embedding> {
  if (!name) {
    throw new NotDrawable(
      `The dataset ${dataset.manifest.catalogue.name} has no embedding, so there is no UMAP to draw on. Figures by Group, such as violins and dot plots, work without one.`,
    );
  }
  const embedding = await dataset.embedding(name, signal);
  return axes === undefined || (axes[0] === 0 && axes[1] === 1) ? embedding : axesOf(embedding, axes);
}

function axesOf({ name, dimensions, values }: Embedding, [x, y]: readonly [number, number]): Embedding {
  const cells = values.length / dimensions;
  const chosen = new Float64Array(2 * cells);
  for (let cell = 0; cell < cells; cell++) {
    chosen[2 * cell] = values[cell * dimensions + x]!;
    chosen[2 * cell + 1] = values[cell * dimensions + y]!;
  }
  return { name, dimensions: 2, values: chosen };
}

async function roleColumn(
  dataset: DisplayedDataset,
  role: 'cellType' | 'cluster',
  signal: AbortSignal,
): Promise<Required<Pick<InputValues['column'], 'column' | 'columnName'>>> {
  const columnName = dataset.manifest.roles[role];
  const column = columnName === undefined ? undefined : await dataset.obs(columnName, signal);
  if (columnName === undefined || !isCategorical(column)) {
    throw new NotDrawable(
      `The dataset ${dataset.manifest.catalogue.name} has no ${role === 'cellType' ? 'cell types' : 'clusters'}.`,
    );
  }
  return { column, columnName };
}

/** A column of obs as it is coloured: categories, or one number per cell. */
async function obsColumn(
  dataset: DisplayedDataset,
  name: string,
  signal: AbortSignal,
): Promise<InputValues['obs']> {
  const { roles, catalogue } = dataset.manifest;
  const title = dataset.titleOf(name);
  const column = await dataset.obs(name, signal);
  switch (column.kind) {
    case 'numeric': {
      const { values, missing } = column;
      return {
        title,
        columnName: name,
        scores: Float64Array.from(values, (value, cell) => (missing?.[cell] ? NaN : value)),
        unit: columnUnit(dataset, name) ?? title,
      };
    }
    case 'categorical':
    case 'boolean':
      return {
        title,
        columnName: name,
        column: await categoricalColumn(dataset, name, signal),
        palette: columnPalette(name, roles),
      };
    default:
      throw new NotDrawable(
        `The column ${quotedHead(title, 80)} of ${catalogue.name} has a text or id for each cell and cannot be colored.`,
      );
  }
}

function named(role: 'cellType' | 'cluster'): Pick<InputValues['column'], 'title' | 'palette'> {
  return { title: partTitles[role], palette: role === 'cellType' ? 'cell-type' : 'cluster' };
}

/** Cell types, else clusters, else one group of all cells. */
async function groupsOf(
  dataset: DisplayedDataset,
  signal: AbortSignal,
): Promise<Omit<InputValues['column'], 'chosen'>> {
  const { cellType, cluster } = dataset.manifest.roles;
  const name = cellType ?? cluster;
  if (name !== undefined) {
    const column = await dataset.obs(name, signal);
    if (isCategorical(column)) {
      return { ...named(cellType === undefined ? 'cluster' : 'cellType'), column, columnName: name };
    }
  }
  const column: CategoricalColumn = {
    kind: 'categorical',
    codes: new Int8Array(dataset.manifest.cellCount),
    categories: ['All cells'],
    categoryType: 'string',
    ordered: false,
  };
  return { column, title: 'Cells', palette: 'cluster' };
}
