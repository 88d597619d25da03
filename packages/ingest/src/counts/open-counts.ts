import { candidates } from '../expression/candidates.ts';
import { chooseExpression } from '../expression/choose-expression.ts';
import { keptTable } from '../additions.ts';
import { openDatasetFile } from '../formats/open-dataset-file.ts';
import { assertRows } from '../layout/matrix-layout.ts';
import { detectGeneNames, isEnsemblId } from '../roles/detect-gene-names.ts';
import type { ImportColumns } from '../import-columns.ts';
import { countBlocks, type RawCountBlock } from './count-blocks.ts';
import { type Table, unpackStrings } from '@cellfolio/model';
import { byPreference } from '../roles/detect-obs-roles.ts';

/** The raw counts of an .h5ad file, to be read from front to back. */
export interface RawCounts extends GeneFacts {
  /** Where they lie in the file, such as `X` or `layers/counts`. */
  readonly part: string;
  readonly cellCount: number;
  readonly geneCount: number;
  /** Entries at most: what is stored, or all values where that is not known of the genes alone. */
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
 * Opens the raw counts that an import of this file would keep, those of genes alone. Undefined where it has none, or some
 * that are not whole. The caller closes them.
 * Whether all values are counts shows only when they are read. Throws H5adError.
 */
export async function openCounts(
  path: string,
  { symbol, expression }: Pick<ImportColumns, 'symbol' | 'expression'> = {},
): Promise<RawCounts | undefined> {
  const file = await openDatasetFile(path);
  const { hdf5 } = file;
  try {
    const counts = chooseExpression(candidates(file), expression)?.counts;
    if (counts?.content !== 'counts') {
      hdf5.close();
      return undefined;
    }
    const { layout, varPath, features } = counts;
    const all = file.genes(varPath).table;
    assertRows(hdf5, layout, 'var', { part: varPath, rows: all.rowCount });
    const genes = features === undefined ? all : keptTable(all, features.kept);
    const { table, symbol: column } = detectGeneNames(path, genes, symbol);
    return {
      part: layout.path,
      cellCount: layout.cellCount,
      geneCount: genes.rowCount,
      entryCount:
        layout.format === 'dense' || features !== undefined
          ? layout.cellCount * genes.rowCount
          : layout.entryCount,
      by: layout.format === 'csc' ? 'gene' : 'cell',
      geneNames: symbolsOf(table, column),
      ...geneFactsOf(table),
      blocks: () => countBlocks(hdf5, layout),
      close: () => hdf5.close(),
    };
  } catch (error) {
    hdf5.close();
    throw error;
  }
}

/** What a file says of its genes beside their names; one entry for each gene, empty where it says nothing. */
export interface GeneFacts {
  /** Ensembl ids, from the names of var or a column of it. */
  readonly geneIds?: readonly string[];
  /** Chromosome of each gene, as the file writes it. */
  readonly chromosomes?: readonly string[];
}

const idColumns = [
  'gene_ids',
  'gene_id',
  'ensembl_id',
  'ensembl_ids',
  'ensembl',
  'ensembl_gene_id',
  'ensembl_gene_ids',
  'feature_id',
  'feature_ids',
  'accession',
  'id',
];
const chromosomeColumns = [
  'chromosome',
  'chromosomes',
  'chrom',
  'chr',
  'chromosome_name',
  'gene_chr',
  'gene_chrom',
  'gene_chromosome',
  'seqnames',
  'seqname',
  'seqid',
  'contig',
];

/** Ids and chromosomes where the table of the genes has them. */
function geneFactsOf(table: Table): GeneFacts {
  const texts = [...table.columns].flatMap(([name, { kind }]) =>
    kind === 'string' || kind === 'categorical' ? [name] : [],
  );
  const names = symbolsOf(table, undefined);
  const ids = [names, ...byPreference(texts, idColumns).map((column) => symbolsOf(table, column))].find(
    (found) => found.some(isEnsemblId),
  );
  const [chromosome] = byPreference(texts, chromosomeColumns);
  return {
    ...(ids !== undefined && { geneIds: ids }),
    ...(chromosome !== undefined && { chromosomes: symbolsOf(table, chromosome) }),
  };
}

/** The symbol of each gene; its name where the column of symbols has none. */
function symbolsOf({ columns, index }: Table, column: string | undefined): string[] {
  const names = unpackStrings(index);
  const symbols = column === undefined ? undefined : columns.get(column);
  if (symbols === undefined) return names;
  if (symbols.kind === 'string')
    return unpackStrings(symbols.strings).map((symbol, gene) => symbol || names[gene]!);
  if (symbols.kind === 'categorical')
    return names.map((name, gene) => symbols.categories[symbols.codes[gene]!] || name);
  return names;
}
