import { benjaminiHochberg } from '../statistics/benjamini-hochberg.ts';
import { leafOrder, linkage, type Merge } from '../statistics/linkage.ts';
import { normalUpperTail } from '../statistics/tails.ts';

interface GeneModules {
  moduleOf: Int32Array;
  /** Genes per module, descending. */
  sizes: readonly number[];
  /** Minimum mean local correlation between two clusters for joining them. */
  threshold: number;
  /** Indices of the genes by module, within a module in tree order; genes without a module are last. */
  order: Int32Array;
  /** Mean local correlation of each gene with the others of its module; NaN for genes without a module. */
  withinModule: Float64Array;
}

/**
 * Groups genes by their local correlations like Hotspot's `create_modules(core_only=True)`: average linkage, which
 * joins clusters while at most `fdr` such mean correlations are expected by chance (Benjamini and Hochberg over all
 * pairs). A cluster of `minGenes` is a module, which absorbs smaller clusters and is not joined to another module. `z`:
 * symmetric, `count` × `count`.
 */
export function geneModules(
  z: Float64Array,
  count: number,
  { minGenes, fdr }: { readonly minGenes: number; readonly fdr: number },
): GeneModules {
  const { threshold, highest } = scoreThreshold(z, count, fdr);
  const distances = z.map((score) => highest - score);
  for (let gene = 0; gene < count; gene++) distances[gene * count + gene] = 0;
  const merges = linkage(distances, count, 'average');
  const labels = clusterLabels(merges, count, { minGenes, farthest: highest - threshold });
  const { moduleOf, sizes } = bySize(labels, count);
  const leaves = leafOrder(merges, count);
  const rank = (gene: number) => moduleOf[gene]! || sizes.length + 1;
  const order = Int32Array.from(leaves.toSorted((one, other) => rank(one) - rank(other)));
  return { moduleOf, sizes, threshold, order, withinModule: meanWithin(z, moduleOf, sizes) };
}

function scoreThreshold(z: Float64Array, count: number, fdr: number): { threshold: number; highest: number } {
  const scores = new Float64Array((count * (count - 1)) / 2);
  let next = 0;
  for (let gene = 0; gene < count; gene++) {
    for (let other = gene + 1; other < count; other++) scores[next++] = z[gene * count + other]!;
  }
  scores.sort();
  const adjusted = benjaminiHochberg(scores.map(normalUpperTail));
  const first = adjusted.findIndex((p) => p < fdr);
  const highest = scores.at(-1) ?? 0;
  return { threshold: first < 0 ? highest + 1 : scores[first]!, highest };
}

function clusterLabels(
  merges: readonly Merge[],
  count: number,
  { minGenes, farthest }: { minGenes: number; farthest: number },
): Int32Array {
  // The leaves', then the merges'.
  const sizes = new Int32Array(count + merges.length).fill(1, 0, count);
  const labels = new Int32Array(count + merges.length).fill(-1);
  let clusters = 0;
  merges.forEach(([one, other, height], i) => {
    const [ofOne, ofOther] = [sizes[one]!, sizes[other]!];
    sizes[count + i] = ofOne + ofOther;
    const [isOne, isOther] = [ofOne >= minGenes, ofOther >= minGenes];
    if ((isOne && isOther) || height > farthest) return;
    if (isOne || isOther) labels[count + i] = labels[isOne ? one : other]!;
    else if (ofOne + ofOther >= minGenes) labels[count + i] = clusters++;
  });
  // From the top: what lies below a cluster belongs to it.
  for (let i = merges.length - 1; i >= 0; i--) {
    if (labels[count + i] === -1) continue;
    const [one, other] = merges[i]!;
    labels[one] = labels[other] = labels[count + i]!;
  }
  return labels.slice(0, count);
}

function bySize(labels: Int32Array, count: number): { moduleOf: Int32Array; sizes: number[] } {
  const genes = new Map<number, number>();
  for (const label of labels) if (label >= 0) genes.set(label, (genes.get(label) ?? 0) + 1);
  const ranked = [...genes].toSorted(
    ([one, ofOne], [other, ofOther]) => ofOther - ofOne || labels.indexOf(one) - labels.indexOf(other),
  );
  const numberOf = new Map(ranked.map(([label], at) => [label, at + 1]));
  return {
    moduleOf: Int32Array.from({ length: count }, (_, gene) => numberOf.get(labels[gene]!) ?? 0),
    sizes: ranked.map(([, size]) => size),
  };
}

function meanWithin(z: Float64Array, moduleOf: Int32Array, sizes: readonly number[]): Float64Array {
  const count = moduleOf.length;
  return Float64Array.from(moduleOf, (module, gene) => {
    if (module === 0) return NaN;
    let sum = 0;
    // A gene has 0 with itself.
    for (let other = 0; other < count; other++)
      if (moduleOf[other] === module) sum += z[gene * count + other]!;
    return sum / (sizes[module - 1]! - 1);
  });
}
