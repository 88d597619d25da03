export interface ChosenList {
  name: string;
  genes: readonly string[];
}

/**
 * Orders the genes by list, each with a bracket and the list's name. A gene of several lists is placed in the first;
 * those of none come last, without a bracket.
 */
export function bracketed(genes: readonly string[], lists: readonly ChosenList[]) {
  const left = new Set(genes);
  const ordered: string[] = [];
  const brackets: { name: string; count: number }[] = [];
  for (const list of lists) {
    const own = list.genes.filter((gene) => left.delete(gene));
    if (own.length === 0) continue;
    ordered.push(...own);
    brackets.push({ name: list.name, count: own.length });
  }
  return { genes: [...ordered, ...left], ...(brackets.length > 0 && { brackets }) };
}

/** Reads stored lists, which are untrusted. */
export function readChosenLists(value: unknown): ChosenList[] | undefined {
  return Array.isArray(value) && value.every(isChosenList) ? value : undefined;
}

function isChosenList(value: unknown): value is ChosenList {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('genes' in value)) return false;
  const { name, genes } = value;
  return typeof name === 'string' && Array.isArray(genes) && genes.every((gene) => typeof gene === 'string');
}
