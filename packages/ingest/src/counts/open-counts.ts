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

export interface RawCounts extends GeneFacts {
  /** Path in the file, such as `X` or `layers/counts`. */
  readonly part: string;
  readonly cellCount: number;
  readonly geneCount: number;
  /** Upper bound of the entries: those stored, or all values if the number for genes alone is unknown. */
  readonly entryCount: number;
  readonly by: 'cell' | 'gene';
  /** Symbols if the file has them, else the names of var; one per gene. */
  readonly geneNames: readonly string[];
  /** Blocks of bounded size in order; the caller owns the arrays. Throws H5adError. */
  blocks(): Iterable<RawCountBlock>;
  close(): void;
}

/**
 * Opens the raw counts that an import of this file would keep, of genes only. Undefined if it has none, or if values
 * are not whole numbers; this is only certain after all are read. The caller closes them. Throws H5adError.
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
    const genes = features === undefined ? all : keptTable(all, features.geneRows);
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

/** Facts about genes besides their names; one entry per gene, empty if unknown. */
export interface GeneFacts {
  /** Ensembl ids, from the names of var or one of its columns. */
  readonly geneIds?: readonly string[];
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

function geneFactsOf(table: Table): GeneFacts {
  const texts = [...table.columns].flatMap(([name, { kind }]) =>
    kind === 'string' || kind === 'categorical' ? [name] : [],
  );
  const names = symbolsOf(table, undefined);
  const ids = [names, ...byPreference(texts, idColumns).map((column) => symbolsOf(table, column))].find(
    (symbols) => symbols.some(isEnsemblId),
  );
  const [chromosome] = byPreference(texts, chromosomeColumns);
  return {
    ...(ids !== undefined && { geneIds: ids }),
    ...(chromosome !== undefined && { chromosomes: symbolsOf(table, chromosome) }),
  };
}

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
