/** Rows of one figure. */
export const MOST_GROUPS = 60;
/** Columns of one figure, over all its bands. */
export const MOST_GENES = 300;
/** Dots of one figure: 30 groups by 300 genes. */
export const MOST_DOTS = 9000;

export interface DotPlotLimits {
  readonly groups: number;
  /** By the number of groups. */
  readonly genes: (groups: number) => number;
}

const usualLimits: DotPlotLimits = {
  groups: MOST_GROUPS,
  genes: (groups) => Math.min(MOST_GENES, Math.floor(MOST_DOTS / Math.max(1, groups))),
};

export interface KeptRowsAndColumns {
  /** Indices of the groups and genes drawn, rising. */
  readonly groups: readonly number[];
  readonly genes: readonly number[];
}

/**
 * Which groups and genes a figure can hold and still be read. Of too many groups the largest stay. Genes of
 * groups that went go with them; of those left the first of each bracket stay, equally many, as markers come
 * best first.
 */
export function limitDotPlot(
  groups: readonly { readonly label: string; readonly cells: number }[],
  genes: readonly { readonly bracket: string | null }[],
  most: DotPlotLimits = usualLimits,
): KeptRowsAndColumns {
  const keptGroups = Array.from(groups.keys())
    .sort((a, b) => groups[b]!.cells - groups[a]!.cells || a - b)
    .slice(0, most.groups)
    .sort((a, b) => a - b);
  const kept = new Set(keptGroups.map((i) => groups[i]!.label));
  const gone = new Set(groups.map((group) => group.label).filter((label) => !kept.has(label)));
  const candidates = Array.from(genes.keys()).filter((i) => {
    const { bracket } = genes[i]!;
    return bracket === null || !gone.has(bracket);
  });
  const mostGenes = most.genes(keptGroups.length);
  if (candidates.length <= mostGenes) return { groups: keptGroups, genes: candidates };
  // Round by round, so that every bracket has its first gene before one has a second.
  const places = new Map<string | null, number>();
  const rounds = candidates.map((gene) => {
    const { bracket } = genes[gene]!;
    const round = places.get(bracket) ?? 0;
    places.set(bracket, round + 1);
    return { gene, round };
  });
  const chosen = rounds
    .sort((a, b) => a.round - b.round || a.gene - b.gene)
    .slice(0, mostGenes)
    .map(({ gene }) => gene);
  return { groups: keptGroups, genes: chosen.sort((a, b) => a - b) };
}
