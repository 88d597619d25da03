import { stringAt, type OtherFeatures } from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import type { DatasetFile } from '../dataset-file.ts';
import { columnTexts } from '../layout/read-column.ts';

/** Rows of `var` that are genes, if a column declares some to be other features. */
export interface GeneFeatures {
  column: string;
  /** Rows of genes, ascending. */
  geneRows: Int32Array;
  /** 1 for each row that is not a gene. */
  dropped: Uint8Array;
  /** Rows of proteins, ascending; they are among `others` too. */
  proteins: Int32Array;
  others: readonly OtherFeatures[];
  untyped: number;
  /** Unknown type names; their rows are genes unless other rows are declared as genes. */
  unknownTypes: readonly string[];
}

const examples = 5;
const maxTypes = 50;
const maxNameLength = 200;

/**
 * Gene rows of the table at `varPath`. Undefined if no column has feature types, or all rows are genes. `raw/var`
 * without such a column is matched to `var` by name. Never throws for a damaged table, which is reported when it is
 * read as a whole.
 */
export function geneFeatures(file: DatasetFile, varPath: string): GeneFeatures | undefined {
  try {
    const own = typesIn(file, varPath);
    const typed = own ?? (varPath === file.varPath ? undefined : typesByName(file, varPath));
    return typed === undefined ? undefined : divided(file, varPath, typed);
  } catch (error) {
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

interface Typed {
  column: string;
  types: readonly string[];
}

function typesIn(file: DatasetFile, varPath: string): Typed | undefined {
  for (const column of typeColumns) {
    const read = file.geneColumn(varPath, column);
    const types = read === undefined ? undefined : columnTexts(read);
    if (types?.some((type) => featureKind(type) === 'other')) return { column, types };
  }
  return undefined;
}

/** `raw` often lacks the columns of `var`; types in `var` apply to equal names in it. */
function typesByName(file: DatasetFile, varPath: string): Typed | undefined {
  const typed = typesIn(file, file.varPath);
  if (typed === undefined) return undefined;
  const own = file.table(file.varPath, 'var').table;
  const typeOf = new Map(typed.types.map((type, row) => [stringAt(own.index, row), type]));
  const { index, rowCount } = file.table(varPath, 'var').table;
  const types = Array.from({ length: rowCount }, (_, row) => typeOf.get(stringAt(index, row)) ?? '');
  return { column: typed.column, types };
}

function divided(file: DatasetFile, varPath: string, { column, types }: Typed): GeneFeatures {
  const kinds = new Map([...new Set(types)].map((type) => [type, featureKind(type)]));
  // Beside named genes an unknown word is not one of them; without any it may be.
  const genesNamed = [...kinds.values()].includes('gene');
  const isGene = (type: string): boolean => {
    const kind = kinds.get(type)!;
    return kind === 'gene' || kind === 'untyped' || (kind === 'unknown' && !genesNamed);
  };
  const { index } = file.table(varPath, 'var').table;
  const dropped = new Uint8Array(types.length);
  const keptRows: number[] = [];
  const proteins: number[] = [];
  const others = new Map<string, { count: number; examples: string[] }>();
  let untyped = 0;
  types.forEach((type, row) => {
    if (isGene(type)) {
      keptRows.push(row);
      if (kinds.get(type) === 'untyped') untyped++;
      return;
    }
    dropped[row] = 1;
    if (isProteinType(type)) proteins.push(row);
    const other = others.get(type) ?? { count: 0, examples: [] };
    others.set(type, other);
    other.count++;
    if (other.examples.length < examples) other.examples.push(stringAt(index, row).slice(0, maxNameLength));
  });
  return {
    column,
    geneRows: Int32Array.from(keptRows),
    dropped,
    proteins: Int32Array.from(proteins),
    others: Array.from(others, ([type, group]) => ({ type: type.slice(0, maxNameLength), ...group }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxTypes),
    untyped,
    unknownTypes: [...kinds].flatMap(([type, kind]) => (kind === 'unknown' ? [type] : [])).slice(0, examples),
  };
}

/** Meaning of a feature type for a row of `var`. `unknown`: a word that no format of the field uses. */
type FeatureKind = 'gene' | 'other' | 'untyped' | 'unknown';

/** Columns of `var` that distinguish genes from antibodies, peaks and guides, as 10x, scanpy, muon and CELLxGENE name them. */
const typeColumns = ['feature_types', 'feature_type', 'feature_biotype', 'modality'];

/** 10x Genomics' `Gene Expression` and the modalities of muon. */
const expressionTypes = /^(gene expression|genes?|gex|rna|mrna|scrna|snrna|transcripts?)$/;
/** Biotypes of Ensembl, all of which are of genes. */
const biotypes =
  /^(protein coding|lncrna|lincrna|antisense( rna)?|processed transcript|tec|ribozyme|sense (intronic|overlapping)|.*pseudogene|(ig|tr) [a-z] gene|(mt )?[a-z]{1,3}rna|(misc|vault|macro|bidirectional promoter|3prime overlapping) (lnc|nc)?rna)$/;
/** Other feature types of Cell Ranger and Space Ranger, modalities of muon, and spike-ins. */
const otherTypes =
  /^(peaks?|atac|chromatin accessibility|crispr( guide( capture)?)?|(s?g|guide )rnas?|guides?|multiplexing capture|hto|hash ?tags?( oligos?)?|cmo|antigen( capture)?|custom|feature barcod(e|ing)|spike in|spikein|ercc|methylation|control( probe| codeword)?|(negative|blank|unassigned|deprecated|genomic) .*|vdj.*)$/;

/** Antibodies against surface proteins, as counted by CITE-seq. */
const proteinTypes =
  /^(antibody( capture)?|antibodies|adt|cite( seq)?|prot|proteins?|protein expression|surface proteins?)$/;

export function isProteinType(type: string): boolean {
  return proteinTypes.test(plainType(type));
}

function plainType(type: string): string {
  return type
    .trim()
    .toLowerCase()
    .replaceAll(/[\s._-]+/g, ' ');
}

export function featureKind(type: string): FeatureKind {
  const word = plainType(type);
  if (word === '' || word === 'nan' || word === 'none' || word === 'na') return 'untyped';
  // `sgRNA` and `gRNA` are guides, though they end as biotypes do.
  if (proteinTypes.test(word) || otherTypes.test(word)) return 'other';
  return expressionTypes.test(word) || biotypes.test(word) ? 'gene' : 'unknown';
}

export function areFeatureTypes(values: readonly string[]): boolean {
  return areMostly(
    values,
    (word) => expressionTypes.test(word) || proteinTypes.test(word) || otherTypes.test(word),
  );
}

export function areBiotypes(values: readonly string[]): boolean {
  return areMostly(values, (word) => biotypes.test(word));
}

function areMostly(values: readonly string[], is: (word: string) => boolean): boolean {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  let [matching, all] = [0, 0];
  for (const [value, count] of counts) {
    all += count;
    if (is(plainType(value))) matching += count;
  }
  return 2 * matching > all;
}
