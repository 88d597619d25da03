import { isProteinType } from '../../features/gene-features.ts';
import { matrixOf, type Names, withNames } from './named-matrix.ts';
import { proteinsOf } from './proteins-of-r.ts';
import type { Refuse } from './r-matrix.ts';
import { item, itemsOf, namesOf, type RValue, slot, stringsOf } from './r-value.ts';

/** Cells of a SummarizedExperiment, and the proteins of one of its alternative experiments. */
export async function cellsOfExperiment(root: RValue, className: string, refuse: Refuse) {
  const { matrix, of, part, notes } = await experimentMatrix(root, { what: 'The object', place: '' }, refuse);
  const named = withNames(matrix, of, part, refuse);
  const inner = slot(slot(root, 'int_colData'), 'listData');
  const alternatives = slot(item(inner, 'altExps'), 'listData');
  const others = namesOf(alternatives);
  const experimentOf = (name: string) => slot(item(alternatives, name), 'se');
  const measured = others.find((name) => isProteinType(name) || isOfProteins(experimentOf(name)));
  const readProteins = async (name: string) => {
    const about = { what: `The alternative experiment ${name}`, place: `altExps$${name}$` };
    const experiment = await experimentMatrix(experimentOf(name), about, refuse);
    notes.push(...experiment.notes);
    // Its columns are the cells of the object, in their order.
    return { ...experiment, isByPlace: true };
  };
  const { proteins, problem } =
    measured === undefined ? {} : await proteinsOf(() => readProteins(measured), named.cells, refuse);
  if (proteins !== undefined) notes.push(`The alternative experiment ${measured} was read as proteins.`);
  if (problem !== undefined) notes.push(`The proteins were left: ${problem}`);
  const left = others.filter((name) => proteins === undefined || name !== measured);
  if (left.length > 0) notes.push(`Alternative experiments were left: ${left.join(', ')}.`);
  const reduced = slot(item(inner, 'reducedDims'), 'listData');
  const embeddings = new Map(
    itemsOf(reduced).map((one, at) => [`X_${namesOf(reduced)[at]!.toLowerCase()}`, one] as const),
  );
  return {
    ...named,
    title: `a ${className}`,
    cellColumns: slot(slot(root, 'colData'), 'listData'),
    geneColumns: rowData(root),
    embeddings,
    proteins,
    notes,
  };
}

async function experimentMatrix(
  experiment: RValue | undefined,
  { what, place }: { readonly what: string; readonly place: string },
  refuse: Refuse,
) {
  // Assays in an environment of their own are of Bioconductor before 3.12.
  const assays = slot(slot(slot(experiment, 'assays'), 'data'), 'listData');
  const names = namesOf(assays);
  const name = ['counts', 'X', 'logcounts'].find((one) => names.includes(one)) ?? names[0];
  const value = name === undefined ? itemsOf(assays)[0] : item(assays, name);
  if (value === undefined) {
    throw refuse(
      `${place}assays`,
      'has no assay that could be read.',
      'Update it with updateObject(x) of a current Bioconductor, see that assay(x, "counts") is there, and save it again.',
    );
  }
  const notes: string[] = [];
  if (name !== 'counts') notes.push(`${what} has no assay “counts”; “${name ?? 'the first'}” was read.`);
  const left = names.filter((one) => one !== name);
  if (left.length > 0)
    notes.push(`Of the assays of ${lower(what)} ${name} was read; left: ${left.join(', ')}.`);
  const ranges = slot(experiment, 'rowRanges');
  const rows =
    stringsOf(slot(slot(ranges, 'partitioning'), 'NAMES')) ??
    stringsOf(slot(slot(ranges, 'ranges'), 'NAMES')) ??
    stringsOf(slot(experiment, 'NAMES'));
  const columns = stringsOf(slot(slot(experiment, 'colData'), 'rownames'));
  const part = `${place}assays$${name ?? 1}`;
  const of: readonly [Names, Names] = [named(rows), named(columns)];
  return { matrix: await matrixOf(value, part, refuse), of, part, notes };
}

function lower(what: string): string {
  return what.slice(0, 1).toLowerCase() + what.slice(1);
}

function named(strings: readonly (string | null)[] | undefined): Names {
  return strings?.map((text) => text ?? '');
}

function rowData(experiment: RValue | undefined): RValue | undefined {
  const ranges = slot(experiment, 'rowRanges');
  return slot(slot(ranges, 'elementMetadata') ?? slot(experiment, 'elementMetadata'), 'listData');
}

/** Whether all rows are proteins by their type, which `read10xCounts()` calls `Type`. */
function isOfProteins(experiment: RValue | undefined): boolean {
  const rows = rowData(experiment);
  const column = namesOf(rows).find((name) => /^(?:feature_?)?types?$/i.test(name));
  const types = column === undefined ? undefined : item(rows, column);
  const texts = stringsOf(types) ?? stringsOf(slot(types, 'levels')) ?? [];
  return texts.length > 0 && texts.every((type) => type !== null && isProteinType(type));
}
