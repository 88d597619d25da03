import { z } from 'zod';
import {
  common,
  count,
  group,
  list,
  number,
  plotWords,
  smallGroups,
  text,
  listed,
  percent,
  value,
  whole,
} from '../plot-words.ts';

/** The order of rows: each merge is two nodes, rows first, and their distance. */
const dendrogram = z.object({
  embedding: text.optional(),
  dimensions: count,
  merges: z.array(z.tuple([count, count, z.number()])).max(1000),
});

/** What the rows are in the order of, why, and which two are nearest. */
function treeWords(
  { embedding, dimensions, merges }: z.output<typeof dendrogram>,
  groups: readonly { readonly label: string }[],
): string {
  const of =
    embedding === undefined
      ? `the ${whole(dimensions)} genes shown, as the dataset has no principal components`
      : `the ${whole(dimensions)} components of ${embedding}, as scanpy does where a dataset has them`;
  const [one, other, height] = merges[0] ?? [0, 0, 0];
  const [first, second] = [groups[one], groups[other]];
  const nearest =
    first === undefined || second === undefined
      ? ''
      : ` Nearest to each other are ${first.label} and ${second.label} (r = ${value(1 - height)}).`;
  return `Rows are in the order of a dendrogram: complete linkage of 1 − Pearson's r between the means of the groups in ${of}.${nearest}`;
}

/** The words of genes by groups, as dots or otherwise. */
export function geneMatrixWords<Kind extends string>(kind: Kind) {
  return plotWords({
    kind,
    numbers: z
      .object({
        kind: z.literal(kind),
        ...common,
        groupTitle: text,
        groups: list(group),
        genes: list(z.object({ symbol: text, bracket: text.nullable() })),
        mean: z.array(number).max(1_000_000),
        fraction: z.array(number).max(1_000_000),
        groupCount: count,
        geneCount: count,
        dendrogram: dendrogram.optional().catch(undefined),
      })
      .refine(
        ({ groups, genes, mean, fraction }) =>
          mean.length === groups.length * genes.length && fraction.length === mean.length,
      ),
    sentences: ({ groups, genes, mean, fraction, groupCount, geneCount, cautions, dendrogram: tree }) => {
      const lines = groups.slice(0, 20).map(({ label }, row) => {
        const ranked = genes
          .map(({ symbol, bracket }, column) => ({
            symbol,
            // A marker is said with the group that it marks.
            own: bracket === null || bracket === label,
            mean: mean[row * genes.length + column] ?? null,
            fraction: fraction[row * genes.length + column] ?? null,
          }))
          .filter((dot) => dot.own && dot.mean !== null && dot.fraction !== null)
          .toSorted((a, b) => b.mean! - a.mean!)
          .slice(0, 3)
          .map(
            (dot) => `${dot.symbol} (mean ${value(dot.mean)} in ${percent(dot.fraction!, 1)} of its cells)`,
          );
        return ranked.length > 0 ? `${label}: ${listed(ranked)}.` : '';
      });
      const [hiddenGroups, hiddenGenes] = [groupCount - groups.length, geneCount - genes.length];
      return {
        findings: [
          ...(tree ? [treeWords(tree, groups)] : []),
          `${whole(genes.length)} genes in ${whole(groups.length)} groups. Strongest in each group:`,
          ...lines.filter((line) => line !== ''),
        ],
        cautions: [
          ...(hiddenGroups > 0 || hiddenGenes > 0
            ? [`The figure leaves out ${whole(hiddenGroups)} groups and ${whole(hiddenGenes)} genes.`]
            : []),
          // The result's own cautions name its small groups.
          ...(cautions ? [] : smallGroups(groups)),
        ],
      };
    },
    between: '\n',
    firstRows: ({ groups, genes, mean, fraction, ...rest }, rows) => ({
      ...rest,
      // Its merges are of all rows.
      dendrogram: undefined,
      groups: groups.slice(0, rows).map(({ label, cells }, row) => ({
        label,
        cells,
        genes: genes.slice(0, rows).map(({ symbol }, column) => ({
          symbol,
          mean: rounded(mean[row * genes.length + column] ?? null),
          fraction: rounded(fraction[row * genes.length + column] ?? null),
        })),
      })),
    }),
  });
}

export const dotPlotWords = geneMatrixWords('dot-plot');

function rounded(given: number | null): number | null {
  return given === null ? null : Number(given.toPrecision(3));
}
