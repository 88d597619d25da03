import { chooseExpression, candidates } from '../expression/choose-expression.ts';
import { Hdf5File } from '../hdf5/hdf5-file.ts';
import { assertRows } from '../layout/assert-rows.ts';
import { readGeneTable } from '../layout/gene-table.ts';
import { detectGeneNames } from '../roles/detect-gene-names.ts';
import type { ImportColumns } from '../roles/import-columns.ts';
import { countBlocks, type RawCountBlock } from './count-blocks.ts';
import { geneFactsOf, type GeneFacts } from './gene-facts.ts';
import { symbolsOf } from './symbols-of.ts';

/** The raw counts of an .h5ad file, to be read from front to back. */
export interface RawCounts extends GeneFacts {
  /** Where they lie in the file, such as `X` or `layers/counts`. */
  readonly part: string;
  readonly cellCount: number;
  readonly geneCount: number;
  /** Stored entries; of a dense matrix, all its values. */
  readonly entryCount: number;
  /** What a vector of a block is. */
  readonly by: 'cell' | 'gene';
  /** Symbols where the file has them, else the names of var; as many as genes. */
  readonly geneNames: readonly string[];
  /** One block after the other, each of bounded size; the arrays are the caller's. Throws H5adError. */
  blocks(): Iterable<RawCountBlock>;
  close(): void;
}

/**
 * Opens the raw counts that an import of this file would keep. Undefined where it has none. The caller closes them.
 * Whether all values are counts shows only when they are read. Throws H5adError.
 */
export async function openCounts(
  path: string,
  { symbol }: Pick<ImportColumns, 'symbol'> = {},
): Promise<RawCounts | undefined> {
  const file = await Hdf5File.open(path);
  try {
    const counts = chooseExpression(candidates(file))?.counts;
    if (counts === undefined) {
      file.close();
      return undefined;
    }
    const { layout, varPath } = counts;
    const genes = readGeneTable(file, varPath).table;
    assertRows(file, layout, varPath, genes.rowCount);
    const { table, symbol: column } = detectGeneNames(path, genes, symbol);
    return {
      part: layout.path,
      cellCount: layout.cellCount,
      geneCount: layout.geneCount,
      entryCount: layout.format === 'dense' ? layout.cellCount * layout.geneCount : layout.entryCount,
      by: layout.format === 'csc' ? 'gene' : 'cell',
      geneNames: symbolsOf(table, column),
      ...geneFactsOf(table),
      blocks: () => countBlocks(file, layout),
      close: () => file.close(),
    };
  } catch (error) {
    file.close();
    throw error;
  }
}
