const logLayers = /^(log1?p|log_?norm|lognorm|log_?counts|logcounts|normalized|normalised|norm|data|log)/i;
const countLayers = /^(raw_?counts?|counts?|umi|umis|raw|spliced_?unspliced)$/i;

/** Layers that may hold expression by their names: logarithms first, then counts. */
export function expressionLayers(names: readonly string[]): string[] {
  return [logLayers, countLayers].flatMap((pattern) => names.filter((name) => pattern.test(name)));
}
