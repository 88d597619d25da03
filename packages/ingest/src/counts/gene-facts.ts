import type { Table } from '@cellfolio/model';
import { byPreference } from '../roles/detect-obs-roles.ts';
import { isEnsemblId } from '../roles/detect-gene-names.ts';
import { symbolsOf } from './symbols-of.ts';

/** What a file says of its genes beside their names; one entry for each gene, empty where it says nothing. */
export interface GeneFacts {
  /** Ensembl ids, from the names of var or a column of it. */
  readonly geneIds?: readonly string[];
  /** Chromosome of each gene, as the file writes it. */
  readonly chromosomes?: readonly string[];
}

const ID_COLUMNS = [
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
const CHROMOSOME_COLUMNS = [
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
export function geneFactsOf(table: Table): GeneFacts {
  const texts = [...table.columns].flatMap(([name, { kind }]) =>
    kind === 'string' || kind === 'categorical' ? [name] : [],
  );
  const names = symbolsOf(table, undefined);
  const ids = [names, ...byPreference(texts, ID_COLUMNS).map((column) => symbolsOf(table, column))].find(
    (found) => found.some(isEnsemblId),
  );
  const [chromosome] = byPreference(texts, CHROMOSOME_COLUMNS);
  return {
    ...(ids !== undefined && { geneIds: ids }),
    ...(chromosome !== undefined && { chromosomes: symbolsOf(table, chromosome) }),
  };
}
