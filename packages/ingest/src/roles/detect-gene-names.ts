import {
  stringAt,
  unpackStrings,
  type Column,
  type Caution,
  type PackedStrings,
  type Table,
  plural,
} from '@cellfolio/model';
import { assertListable, assertShortNames, longRow } from '../layout/long-names.ts';
import type { PreflightReport, RoleReport } from '../preflight-report.ts';
import { byPreference, unknownColumn } from './detect-obs-roles.ts';
import { spreadsheetCautions } from './spreadsheet-names.ts';

const symbolColumns = [
  'feature_name',
  'gene_symbols',
  'gene_symbol',
  'gene_name',
  'gene_names',
  'symbol',
  'symbols',
  'gene_short_name',
  'hgnc_symbol',
  'hgnc_symbols',
  'mgi_symbol',
  'external_gene_name',
  'features',
  'name',
];
const ensemblId = /^ENS[A-Z]{0,4}G\d{6,}(\.\d+)?$|^FBgn\d+$|^WBGene\d+$/;

export interface GeneNames {
  /** Column of var with the symbols; absent if the index holds them. */
  symbol?: string;
  table: Table;
  geneNames: PreflightReport['geneNames'];
  report: RoleReport;
  warnings: readonly Caution[];
}

/** Finds the gene symbols. Throws H5adError `unknown-column` for a named column that does not exist. */
export function detectGeneNames(path: string, table: Table, named?: string): GeneNames {
  const index = indexStyle(table.index);
  const columns = [...table.columns.keys()];
  const texts = columns.filter((name) => textOf(table.columns.get(name)) !== undefined);
  if (named !== undefined && named !== table.indexName && !texts.includes(named)) {
    throw unknownColumn(path, 'var', named, 'gene symbol', [table.indexName, ...texts]);
  }
  const isShort = (name: string) => {
    const { strings, missing } = textOf(table.columns.get(name))!;
    return longRow(strings, missing) === undefined;
  };
  const fitting = byPreference(texts, symbolColumns).filter(isShort);
  const detected = index === 'symbol' ? undefined : fitting[0];
  const symbol = named === table.indexName ? undefined : (named ?? detected);
  const warnings: Caution[] = [];
  if (symbol === undefined && index !== 'symbol') {
    const what = index === 'ensembl' ? 'Ensembl ids' : 'numbers';
    warnings.push({
      code: 'no-symbols',
      message: `Genes are named by ${what} only: no column with symbols was found.`,
    });
  }
  const text = symbol === undefined ? undefined : textOf(table.columns.get(symbol));
  if (text !== undefined) assertShortNames(path, `var/${symbol}`, text.strings, text.missing);
  const names = text === undefined ? unpackStrings(table.index) : namesOf(text);
  assertListable(path, symbol === undefined ? `var/${table.indexName}` : `var/${symbol}`, names);
  const { repeated, examples } = repeatedNames(names.length, (at) => names[at]!);
  if (repeated > 0) {
    warnings.push({
      code: 'repeated-symbols',
      message: `${plural(repeated, 'gene has a symbol', 'genes have symbols')} that an earlier gene has too (${examples.join(', ')}); they are shown with -1, -2… added.`,
    });
  }
  warnings.push(...spreadsheetCautions(names));
  const withText = new Map(table.columns);
  if (symbol !== undefined && text !== undefined) withText.set(symbol, text);
  return {
    ...(symbol === undefined ? {} : { symbol }),
    table: { ...table, columns: withText },
    geneNames: {
      index,
      ...(symbol === undefined ? {} : { symbolColumn: symbol }),
      repeated,
      repeatedExamples: examples,
    },
    report: {
      role: 'symbol',
      chosen: symbol ?? table.indexName,
      why:
        named !== undefined
          ? 'named in the import'
          : symbol === undefined
            ? 'the names of the genes'
            : `the names of the genes are ${index === 'ensembl' ? 'Ensembl ids' : 'numbers'}`,
      alternatives: [...new Set([...fitting, table.indexName, ...texts])].filter(
        (name) => name !== (symbol ?? table.indexName),
      ),
    },
    warnings,
  };
}

/** With or without a version; also the identifiers of fly and worm. */
export function isEnsemblId(name: string): boolean {
  return ensemblId.test(name);
}

function indexStyle(index: PackedStrings): 'ensembl' | 'symbol' | 'number' {
  const rows = index.offsets.length - 1;
  const step = Math.max(1, Math.floor(rows / 1000));
  let checked = 0;
  let ensembl = 0;
  let number = 0;
  for (let row = 0; row < rows; row += step) {
    const name = stringAt(index, row);
    checked++;
    if (isEnsemblId(name)) ensembl++;
    if (/^\d+$/.test(name)) number++;
  }
  if (ensembl * 2 > checked) return 'ensembl';
  return number * 2 > checked ? 'number' : 'symbol';
}

/** Column as text: categories are pointless if nearly every name is unique. */
function textOf(column: Column | undefined): (Column & { kind: 'string' }) | undefined {
  if (column?.kind === 'string') return column;
  if (column?.kind !== 'categorical' || column.categoryType !== 'string') return undefined;
  const { codes, categories } = column;
  const missing = Uint8Array.from(codes, (code) => (code < 0 ? 1 : 0));
  const strings = packRows(codes, categories);
  return missing.includes(1) ? { kind: 'string', strings, missing } : { kind: 'string', strings };
}

function packRows(codes: ArrayLike<number>, categories: readonly string[]): PackedStrings {
  const encoded = categories.map((label) => Buffer.from(label));
  const offsets = new Uint32Array(codes.length + 1);
  for (let row = 0; row < codes.length; row++)
    offsets[row + 1] = offsets[row]! + (encoded[codes[row]!]?.length ?? 0);
  const bytes = new Uint8Array(offsets[codes.length]!);
  for (let row = 0; row < codes.length; row++) {
    const label = encoded[codes[row]!];
    if (label !== undefined) bytes.set(label, offsets[row]);
  }
  return { bytes, offsets };
}

function namesOf({ strings, missing }: Column & { kind: 'string' }): string[] {
  const names = unpackStrings(strings);
  return missing === undefined ? names : names.filter((_, row) => missing[row] === 0);
}

interface RepeatedNames {
  repeated: number;
  /** At most three, distinct, in order. */
  examples: readonly string[];
}

/**
 * Counts repeated names. Takes eight bytes per name, regardless of its length, as tables have millions of cells; only
 * names with equal digests are compared.
 */
export function repeatedNames(count: number, nameAt: (at: number) => string): RepeatedNames {
  const digests = Float64Array.from({ length: count }, (_, at) => digestOf(nameAt(at)));
  const sorted = digests.toSorted();
  const alike = new Set(sorted.filter((digest, at) => digest === sorted[at - 1]));
  if (alike.size === 0) return { repeated: 0, examples: [] };
  const seen = new Set<string>();
  const examples = new Set<string>();
  let repeated = 0;
  for (let at = 0; at < count; at++) {
    if (!alike.has(digests[at]!)) continue;
    const name = nameAt(at);
    if (seen.has(name)) {
      repeated++;
      if (examples.size < 3) examples.add(name);
    }
    seen.add(name);
  }
  return { repeated, examples: [...examples] };
}

/** 53 bits of two multiplicative digests with different factors. */
function digestOf(name: string): number {
  let low = 0x811c9dc5;
  let high = 0x9e3779b9;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 13);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
