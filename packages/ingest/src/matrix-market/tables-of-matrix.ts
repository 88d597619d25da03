export const matrixName = /\.mtx(\.gz)?$/i;

export interface TablesOfMatrix {
  /** Names of the lists, if they are there. */
  cells: string | undefined;
  genes: string | undefined;
  /** Gene symbols of kallisto|bustools, one per line. */
  symbols: string | undefined;
  /** Names under which Cell Ranger and STARsolo would have each. */
  expected: { cells: readonly string[]; genes: readonly string[] };
}

/** Finds the lists of cells and genes of a matrix among the names in its folder, as each pipeline calls them. */
export function tablesOfMatrix(matrix: string, names: readonly string[]): TablesOfMatrix {
  const prefixes = prefixesOf(matrix);
  const kallisto = kallistoStem(matrix);
  const packing = /\.gz$/i.test(matrix) ? ['.gz', ''] : ['', '.gz'];
  const byName = new Map(names.map((name) => [name.toLowerCase(), name]));
  const expected = (kinds: readonly string[]) =>
    prefixes.flatMap((prefix) => kinds.flatMap((kind) => packing.map((end) => `${prefix}${kind}.tsv${end}`)));
  const find = (candidates: readonly string[]) =>
    candidates.map((name) => byName.get(name.toLowerCase())).find((name) => name !== undefined);
  const packed = (name: string) => packing.map((end) => name + end);
  const expectedNames = { cells: expected(['barcodes']), genes: expected(['features', 'genes']) };
  const isAlevin = /^quants_mat\.mtx(\.gz)?$/i.test(matrix);
  return {
    cells: find(
      isAlevin
        ? ['quants_mat_rows.txt']
        : [...expectedNames.cells, `${kallisto}.barcodes.txt`, ...packed('cell_metadata.csv')],
    ),
    genes: find(
      isAlevin
        ? ['quants_mat_cols.txt']
        : [...expectedNames.genes, `${kallisto}.genes.txt`, ...packed('all_genes.csv')],
    ),
    symbols: byName.get(`${kallisto}.genes.names.txt`.toLowerCase()),
    expected: isAlevin ? { cells: ['quants_mat_rows.txt'], genes: ['quants_mat_cols.txt'] } : expectedNames,
  };
}

/** Prefixes of `barcodes.tsv`: that of `matrix.mtx`; for `liver.mtx` it is `liver_`, `liver.`, `liver-` or none. */
function prefixesOf(matrix: string): string[] {
  const stem = matrix.replace(matrixName, '');
  if (/matrix$/i.test(stem)) return [stem.slice(0, -'matrix'.length)];
  return [...['_', '.', '-'].map((mark) => stem + mark), ''];
}

/** Prefix of the tables of kallisto|bustools; kb makes several matrices that share them. */
function kallistoStem(matrix: string): string {
  return matrix.replace(matrixName, '').replace(/\.(total|mature|nascent|ambiguous|cell|nucleus)$/i, '');
}
