import type { SubclusteringRecord } from '@cellfolio/contract';
import type { Caution } from '@cellfolio/model';

/** Warnings about which cells entered a dataset; they also apply to a subset of its cells. */
const aboutCells: ReadonlySet<string> = new Set([
  'doublets-no-threshold',
  'doublets-not-detectable',
  'doublets-not-sought',
  'droplets-called-together',
  'droplets-limited',
  'droplets-not-tested',
  'loose-mitochondrial-threshold',
  'many-doublets',
  'no-mitochondrial-genes',
]);

/**
 * Warnings of a dataset that also hold for some of its cells, including those inherited from its own parents. `absent`
 * holds samples of the dataset without any of the cells.
 */
export function parentWarnings(
  parent: { name: string; warnings: readonly Caution[] },
  absent: ReadonlySet<string>,
  earlier: SubclusteringRecord['warnings'] = [],
): NonNullable<SubclusteringRecord['warnings']> {
  const own = parent.warnings.filter(({ code, numbers }) => {
    const named = numbers?.['samples'];
    const samples = Array.isArray(named) ? named : [];
    return aboutCells.has(code) && (samples.length === 0 || samples.some((sample) => !absent.has(sample)));
  });
  return [...earlier, ...own.map(({ code, message }) => ({ dataset: parent.name, code, message }))];
}
