import type { Refuse, RMatrix } from './r-matrix.ts';
import { classesOf, described, itemsOf, type RValue, slot, stringsOf } from './r-value.ts';

export type Names = readonly string[] | undefined;

export interface NamedMatrix {
  matrix: RMatrix;
  names: readonly [Names, Names];
}

/** Throws the refusal for a value that is not a supported matrix. */
export async function matrixOf(value: RValue, part: string, refuse: Refuse): Promise<NamedMatrix> {
  const classes = classesOf(value);
  const impossible = () => refuse(part, 'contradicts itself.', 'Save the object again in R with saveRDS().');
  const numbers = (name: string) => {
    const slotValue = slot(value, name);
    if (slotValue?.type !== 'numbers') throw impossible();
    return slotValue.numbers;
  };
  const sparse = classes.includes('dgCMatrix');
  const size = await sizeOf(slot(value, sparse ? 'Dim' : 'dim'));
  const dimnames = itemsOf(slot(value, sparse ? 'Dimnames' : 'dimnames'));
  const names = [0, 1].map((at) => stringsOf(dimnames[at])?.map((name) => name ?? '')) as [Names, Names];
  if (sparse && size !== undefined) {
    const [p, i, x] = [numbers('p'), numbers('i'), numbers('x')];
    if (p.length !== size.cellCount + 1 || i.length !== x.length) throw impossible();
    return { matrix: { form: 'sparse', ...size, p, i, x }, names };
  }
  if (value.type === 'numbers' && size !== undefined) {
    if (value.numbers.length !== size.geneCount * size.cellCount) throw impossible();
    return { matrix: { form: 'dense', ...size, values: value.numbers }, names };
  }
  throw refuse(
    part,
    `is ${described(value)}, which is not read.`,
    'Make it a matrix in memory with as(as(m, "CsparseMatrix"), "dMatrix") and save the object again.',
  );
}

async function sizeOf(dim: RValue | undefined) {
  if (dim?.type !== 'numbers' || dim.numbers.length !== 2) return undefined;
  const [geneCount, cellCount] = (await dim.numbers.read(0, 2)) as unknown as [number, number];
  return geneCount >= 0 && cellCount >= 0 ? { geneCount, cellCount } : undefined;
}

export function withNames(
  { matrix, names }: NamedMatrix,
  [genes = names[0], cells = names[1]]: readonly [Names, Names],
  part: string,
  refuse: Refuse,
) {
  const wrong = (what: string, count: number, axisNames: Names) =>
    refuse(
      part,
      `has ${count} ${what} and ${axisNames?.length ?? 'no'} names for them.`,
      `Name them with ${what === 'genes' ? 'rownames' : 'colnames'}() and save the object again.`,
    );
  if (genes?.length !== matrix.geneCount) throw wrong('genes', matrix.geneCount, genes);
  if (cells?.length !== matrix.cellCount) throw wrong('cells', matrix.cellCount, cells);
  return { matrix, genes, cells };
}
