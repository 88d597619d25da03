import type { z } from 'zod';
import type { PlotInputs } from './plot.ts';

/** Default grouping of a dataset's cells. */
export type GroupedBy = 'cell type' | 'cluster' | 'none';

export type TitleOf = (column: string) => string;

export interface PlotTitles {
  title: string;
  subtitle: string;
}

/** Measure of a colour bar or axis: `mean` is of a gene in each group, `number` a column of obs. */
export type Measure = 'expression' | 'score' | 'number' | 'mean';

export interface PlotContent<
  Kind extends string = string,
  Schema extends z.ZodType<{ kind: Kind }> = z.ZodType<{ kind: Kind }>,
  Inputs extends PlotInputs = PlotInputs,
> {
  kind: Kind;
  name: string;
  /** Content by names: the same content redraws the same figure. */
  schema: Schema;
  inputs(content: z.output<Schema>): Inputs;
  titles(content: z.output<Schema>, groupedBy: GroupedBy, titleOf: TitleOf): PlotTitles;
  /** Category that its images are filed under; default `gene`. */
  imageType?(content: z.output<Schema>): 'default' | 'gene' | 'cellType' | 'leiden';
  /** Measure of its colour bar or axis: figures with the same measure can share a range. Absent if it has none. */
  measure?(content: z.output<Schema>): Measure | undefined;
  /** True if it has several axes or colour bars: their ends then cannot be chosen. */
  hasSeveralScales?: true;
  /** Name of the numbers that it colours each cell by, when saved as a column; absent if they are not from a result. */
  cellNumbers?(content: z.output<Schema>): string;
  /** True if it has several maps, or more on its map than the live one can show: then it is not live. */
  isMaps?: true;
  /** For kinds offered under Figures by Group, which need only groups, or also this number of genes. */
  byGroup?: { genes?: number };
  /** Display of the cells' values; default `umap`. */
  shape?: 'violin';
  /** Converts the content to the names in a URL and back; absent if it is too long for a URL. */
  address?: {
    names(content: z.output<Schema>): readonly string[];
    /** Returns everything but the kind; the schema checks it afterwards. */
    read(names: readonly string[]): object | undefined;
  };
  /** The part of the content that determines the picture, if not all of it. */
  pictured?(content: z.output<Schema>): object;
}

export function plotContent<
  Kind extends string,
  Schema extends z.ZodType<{ kind: Kind }>,
  const Inputs extends PlotInputs,
>(content: PlotContent<Kind, Schema, Inputs>): PlotContent<Kind, Schema, Inputs> {
  return content;
}

/** A figure that is one folder, which `kinds.ts` finds by its kind. */
export function declareFigure<
  Kind extends string,
  Schema extends z.ZodType<{ kind: Kind }>,
  const Inputs extends PlotInputs,
>(content: PlotContent<Kind, Schema, Inputs>): PlotContent<Kind, Schema, Inputs> & { isFolder: true } {
  return { ...content, isFolder: true };
}

export const jsonAddress = {
  names: (content: object): readonly string[] => {
    const { kind: _, ...rest } = content as { kind: string };
    return [JSON.stringify(rest)];
  },
  read: ([text = '']: readonly string[]): object | undefined =>
    (JSON.parse(text) as object | null) ?? undefined,
};

export function byGroups(groupedBy: GroupedBy): string {
  return groupedBy === 'none' ? 'of all cells' : `by ${groupedBy}`;
}
