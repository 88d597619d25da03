import { type CategoryDisplay, columnTitle } from '@cellfolio/contract';
import type { CategoricalColumn } from '@cellfolio/model';
import { categoryColours, type CategoryPalette, columnPalette } from '@cellfolio/figures';
import type { Dataset } from '@cellfolio/store';
import { categoriesOf } from './open-datasets.ts';
import type { UserColumn } from './own-columns.ts';

/**
 * Indices of names in the user's order; names missing from it follow, in their own order. Names that no longer exist
 * are skipped: the dataset may have been replaced since.
 */
export function displayOrder(names: readonly string[], display: CategoryDisplay | undefined): number[] {
  const own = names.map((_, place) => place);
  if (!display) return own;
  const placeOf = new Map(display.categories.map(({ name }, place) => [name, place]));
  const positions = own.map((at) => placeOf.get(names[at]!) ?? display.categories.length + at);
  return own.sort((a, b) => positions[a]! - positions[b]!);
}

export function inDisplayOrder<T>(
  entries: ReadonlyMap<string, T>,
  display: CategoryDisplay | undefined,
): Map<string, T> {
  const list = [...entries];
  return new Map(
    displayOrder(
      list.map(([name]) => name),
      display,
    ).map((at) => list[at]!),
  );
}

/** `#rrggbb` of each category in code order: a category keeps its colour at any position. */
export function displayedColours(
  column: CategoricalColumn,
  display: CategoryDisplay | undefined,
  palette: CategoryPalette,
): readonly string[] {
  const own = categoryColours(column, palette);
  const chosen = new Map(display?.categories.map(({ name, colour }) => [name, colour]));
  return column.categories.map((name, code) => chosen.get(name) ?? own[code]!);
}

export function labelIn(display: CategoryDisplay | undefined): (name: string) => string {
  const chosen = new Map(display?.categories.map(({ name, label }) => [name, label]));
  return (name) => chosen.get(name) ?? name;
}

function hasLabels(display: CategoryDisplay | undefined): boolean {
  return display?.categories.some(({ label }) => label !== undefined) === true;
}

/** Note in a file of such groups: it keeps the dataset's names, so that it is unambiguous for everyone. */
export function namesNote(display: CategoryDisplay | undefined): string[] {
  if (!display || !hasLabels(display)) return [];
  return [
    `Groups have the names of the dataset; figures and tables on the page show the display names that you gave to ${columnTitle(display.column)}`,
  ];
}

type DrawnDataset = Pick<
  Dataset,
  | 'manifest'
  | 'genes'
  | 'obs'
  | 'proteins'
  | 'embeddings'
  | 'embedding'
  | 'gene'
  | 'geneStatistics'
  | 'useGeneBlock'
>;

export interface DisplayedDataset extends DrawnDataset {
  titleOf(column: string): string;
  /** Converts the spec of a figure of one of the columns back to the dataset's codes. */
  inDatasetCodes(spec: Record<string, unknown>): Record<string, unknown>;
}

/**
 * The dataset as displayed to a user: categories in the user's order, with their colours and labels. Codes follow the
 * order.
 */
export function withDisplays(
  dataset: DrawnDataset,
  displays: readonly CategoryDisplay[] = [],
  own: readonly UserColumn[] = [],
): DisplayedDataset {
  const displayOf = new Map(displays.map((display) => [display.column, display]));
  const orders = new Map<unknown, readonly number[]>();
  const { manifest, genes, proteins, embeddings } = dataset;
  return {
    manifest,
    genes,
    proteins,
    embeddings,
    embedding: (name, signal) => dataset.embedding(name, signal),
    gene: (row, signal) => dataset.gene(row, signal),
    obs: async (name, signal) => {
      const read = await dataset.obs(name, signal);
      const display = displayOf.get(name);
      const column = display && categoriesOf(read);
      if (!column) return read;
      const order = displayOrder(column.categories, display);
      orders.set(name, order);
      const colours = displayedColours(column, display, columnPalette(name, manifest.roles));
      const labelOf = labelIn(display);
      return {
        ...column,
        codes: movedCodes(column.codes, order),
        categories: order.map((code) => column.categories[code]!),
        colours: order.map((code) => colours[code]!),
        ...(hasLabels(display) && { labels: order.map((code) => labelOf(column.categories[code]!)) }),
      };
    },
    useGeneBlock: (from, to, use, signal) => dataset.useGeneBlock(from, to, use, signal),
    geneStatistics: async (name, signal) => {
      const read = await dataset.geneStatistics(name, signal);
      const display = displayOf.get(name);
      if (!read || !display) return read;
      const column = categoriesOf(await dataset.obs(name, signal));
      if (!column) return undefined;
      const order = displayOrder(column.categories, display);
      return async (row, readSignal) => {
        const { categories, ...sums } = await read(row, readSignal);
        return { ...sums, categories: categories.map((code) => order.indexOf(code)) };
      };
    },
    titleOf: (column) => columnTitle(column, own),
    inDatasetCodes: (spec) => inDatasetCodes(spec, orders.get(spec['column'])),
  };
}

/** Recodes categories into another order: `order` holds the old indices. */
export function movedCodes(
  codes: CategoricalColumn['codes'],
  order: readonly number[],
): CategoricalColumn['codes'] {
  // One more in front for -1, so that the loop has no branch.
  const places = new Int32Array(order.length + 1).fill(-1);
  for (let place = 0; place < order.length; place++) places[order[place]! + 1] = place;
  const moved = codes.slice();
  for (let cell = 0; cell < codes.length; cell++) moved[cell] = places[codes[cell]! + 1]!;
  return moved;
}

/** Columns for live maps keep the dataset's codes in any order: moving a category moves no cell. */
function inDatasetCodes(
  spec: Record<string, unknown>,
  order: readonly number[] | undefined,
): Record<string, unknown> {
  const { groups, rest } = spec as {
    groups?: readonly { code?: number }[];
    rest?: { codes?: readonly number[] };
  };
  if (!order || !groups) return spec;
  const inDataset = (group: { code?: number }) =>
    group.code === undefined ? group : { ...group, code: order[group.code]! };
  return {
    ...spec,
    groups: groups.map(inDataset),
    ...(rest?.codes && { rest: { ...rest, codes: rest.codes.map((code) => order[code]!) } }),
  };
}
