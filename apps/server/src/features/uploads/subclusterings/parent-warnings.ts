import type { SubclusteringRecord } from '@cellfolio/contract';
import type { Caution } from '@cellfolio/model';

/** About which cells were let into a dataset, and so about those that are taken out of it. */
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
 * What a dataset warns of that holds for some of its cells too, with what it has of the datasets that it is itself a part of.
 * @param absent samples of the dataset of which none of the cells is
 */
export function parentWarnings(
  parent: { readonly name: string; readonly warnings: readonly Caution[] },
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
