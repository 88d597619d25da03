export type PlotKind = 'umap' | 'violin';

export interface GenePlotPlan {
  /** Genes that lack at least one of the wanted plots. */
  wanted: string[];
  /** Genes all of whose wanted plots exist already. */
  done: string[];
}

/** Only what is new is generated: same dataset, disease, subset and kind of plot make the same image. */
export function planGenePlots(
  genes: readonly string[],
  kinds: readonly PlotKind[],
  exists: (gene: string, kind: PlotKind) => boolean,
): GenePlotPlan {
  const done = genes.filter((gene) => kinds.every((kind) => exists(gene, kind)));
  return { wanted: genes.filter((gene) => !done.includes(gene)), done };
}
