import { z } from 'zod';

// Figures come back from browsers, so everything is checked and bounded again; what a summary does not use is dropped.

/** Names of genes, groups and datasets come from strangers: one line, not too long. */
const plain = (given: string) => given.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
const text = z.string().transform((given) => plain(given.slice(0, 300)));
/** JSON writes numbers that are none as null. */
const number = z.number().nullable().catch(null);
const count = z.int().nonnegative();
const list = <T extends z.ZodType>(item: T) => z.array(item).max(20_000);

/** Longer than a name: a caution says its figures in words. */
const sentence = z.string().transform((given) => plain(given.slice(0, 1200)));
const figure = z.union([z.number(), text]);
/** What limits the result that a figure shows: as many as are told, the gravest first. */
const cautions = z
  .array(
    z.object({
      code: z.string().regex(/^[a-z-]{1,60}$/),
      message: sentence,
      // name-dictionary: keys of letters alone
      numbers: z
        .record(
          z.string().regex(/^[a-zA-Z]{1,40}$/),
          z.union([figure, z.array(figure).transform((list) => list.slice(0, 60))]),
        )
        .refine((numbers) => Object.keys(numbers).length <= 30)
        .optional()
        // The words say the figures too.
        .catch(undefined),
    }),
  )
  .max(20)
  .optional()
  .catch(undefined);

const common = { title: text, datasetName: text, summary: text, cautions };
const counts = z.object({ cells: count, datasetCells: count });
const group = z.object({ label: text, cells: count });

const violinGroup = group.extend({
  mean: number,
  quartiles: z.tuple([number, number, number]).nullable(),
  range: z.tuple([number, number]).nullable(),
});
const violin = { ...common, unit: text, groupTitle: text, groupCount: count };

/** The numbers of a figure, of every kind that the explorer draws. */
export const figureNumbers = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('gene-umap'),
    ...common,
    counts,
    unit: text,
    expressing: count,
    withoutValue: count,
    domain: z.object({ low: number, high: number, max: number, clipped: z.boolean() }),
  }),
  z.object({ kind: z.literal('category-umap'), ...common, counts, groups: list(group), missing: count }),
  z.object({
    kind: z.literal('score-umap'),
    ...common,
    counts,
    unit: text,
    subtitle: text,
    notScored: count,
    domain: z.object({ low: number, high: number, min: number, max: number }),
  }),
  z.object({ kind: z.literal('highlight-umap'), ...common, counts, groups: list(group), others: count }),
  z.object({
    kind: z.literal('gene-violin'),
    ...violin,
    groups: list(violinGroup.extend({ expressing: count })),
  }),
  z.object({ kind: z.literal('score-violin'), ...violin, groups: list(violinGroup), notScored: count }),
  z
    .object({
      kind: z.literal('dot-plot'),
      ...common,
      groupTitle: text,
      groups: list(group),
      genes: list(z.object({ symbol: text, bracket: text.nullable() })),
      mean: z.array(number).max(1_000_000),
      fraction: z.array(number).max(1_000_000),
      groupCount: count,
      geneCount: count,
    })
    .refine(
      ({ groups, genes, mean, fraction }) =>
        mean.length === groups.length * genes.length && fraction.length === mean.length,
    ),
  z.object({
    kind: z.literal('enrichment-bar'),
    ...common,
    subtitle: text,
    threshold: z.number(),
    terms: list(z.object({ term: text, adjustedP: number, overlap: text, combinedScore: number })),
    termCount: count,
    significant: count,
  }),
]);
export type FigureNumbers = z.output<typeof figureNumbers>;
export type ViolinNumbers = Extract<FigureNumbers, { kind: 'gene-violin' | 'score-violin' }>;
export type DotPlotNumbers = Extract<FigureNumbers, { kind: 'dot-plot' }>;

/** The numbers of a spec; undefined where it is no figure that is known here. */
export function numbersOf(spec: unknown): FigureNumbers | undefined {
  return figureNumbers.safeParse(spec).data;
}
