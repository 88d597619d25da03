import type { z } from 'zod';
import type { PlotInputs } from './plot.ts';

/** What the cells of a dataset are grouped by where a figure says so. */
export type GroupedBy = 'cell type' | 'cluster' | 'none';

/** What a column of obs is called where people read of it. */
export type TitleOf = (column: string) => string;

/** What an image of a figure is called in lists and titles. */
export interface PlotTitles {
  readonly title: string;
  readonly subtitle: string;
}

/** What a colour bar or an axis measures: `mean` is of a gene in each group, `number` a column of obs. */
export type Measure = 'expression' | 'score' | 'number' | 'mean';

/** What a kind of figure shows, as far as a browser has to know it. */
export interface PlotContent<
  Kind extends string = string,
  Schema extends z.ZodType<{ kind: Kind }> = z.ZodType<{ kind: Kind }>,
  Inputs extends PlotInputs = PlotInputs,
> {
  readonly kind: Kind;
  /** What figures of this kind are called in the names of files, whatever each of them shows. */
  readonly name: string;
  /** By names: the same words draw the same figure again. */
  readonly schema: Schema;
  inputs(content: z.output<Schema>): Inputs;
  /** @param titleOf what a column of obs is called */
  titles(content: z.output<Schema>, groupedBy: GroupedBy, titleOf: TitleOf): PlotTitles;
  /** What an image of it is filed under; `gene` if absent. */
  imageType?(content: z.output<Schema>): 'default' | 'gene' | 'cellType' | 'leiden';
  /** What its colour bar or its axis measures: figures of one measure can share a range. Absent where it has none. */
  measure?(content: z.output<Schema>): Measure | undefined;
  /** True where its values have several axes or colour bars: then none of them has ends that can be asked for. */
  readonly hasSeveralScales?: true;
  /** What the numbers are called that it colours each cell by, as a column of one's own; absent where they are of no result. */
  cellNumbers?(content: z.output<Schema>): string;
  /** True where it has several maps, or more on its map than the live one can show: then it is not live. */
  readonly isMaps?: true;
  /** Of kinds that are chosen under Figures by Group, and ask for groups alone, or for so many genes too. */
  readonly byGroup?: { readonly genes?: number };
  /** How the values of cells are shown; `umap` if absent. */
  readonly shape?: 'violin';
  /** Converts the content to the names in a URL and back; absent where it is too long for a URL. */
  readonly address?: {
    names(content: z.output<Schema>): readonly string[];
    /** Anything but the kind; checked by the schema afterwards. */
    read(names: readonly string[]): object | undefined;
  };
  /** The part of the content that decides the picture, where it is not all of it. */
  pictured?(content: z.output<Schema>): object;
}

/** Keeps the types of a content, so that its figure receives the inputs that it names. */
export function plotContent<
  Kind extends string,
  Schema extends z.ZodType<{ kind: Kind }>,
  const Inputs extends PlotInputs,
>(content: PlotContent<Kind, Schema, Inputs>): PlotContent<Kind, Schema, Inputs> {
  return content;
}

/** A URL that holds the whole content. */
export const jsonAddress = {
  names: (content: object): readonly string[] => {
    const { kind: _, ...rest } = content as { readonly kind: string };
    return [JSON.stringify(rest)];
  },
  read: ([text = '']: readonly string[]): object | undefined =>
    (JSON.parse(text) as object | null) ?? undefined,
};

/** What a subtitle says of the groups of a figure. */
export function byGroups(groupedBy: GroupedBy): string {
  return groupedBy === 'none' ? 'of all cells' : `by ${groupedBy}`;
}
