import { type Caution, type Column, countText, packStrings, type Table } from '@cellfolio/model';
import { keptColumn, keptTable } from '../additions.ts';
import type { DatasetFile } from '../dataset-file.ts';
import { H5adError } from '../h5ad-error.ts';
import type { MatrixLayout } from '../layout/matrix-layout.ts';
import { columnTexts } from '../layout/read-column.ts';

/**
 * Presents a file whose features are probes, several per gene, as genes, by summing the counts of a gene's probes:
 * `raw_probe_bc_matrix.h5` of Cell Ranger and Space Ranger, and files derived from it. Excludes probes that failed the
 * programs' filter (`filtered_probes` is true for those that passed) and deprecated ones. Returns any other file
 * unchanged.
 */
export function withSummedProbes(file: DatasetFile): DatasetFile {
  const probesOf = new Map<string, Probes | undefined>();
  const probes = (varPath: string): Probes | undefined => {
    if (!probesOf.has(varPath)) probesOf.set(varPath, findProbes(file, varPath));
    return probesOf.get(varPath);
  };
  const genes = <F extends { table: Table }>(frame: F, probeSet: Probes | undefined): F =>
    probeSet?.geneOf.length === frame.table.rowCount
      ? { ...frame, table: geneTable(frame.table, probeSet) }
      : frame;
  return {
    ...file,
    matrices: () =>
      file
        .matrices()
        .map(({ layout, varPath }) => ({ varPath, layout: summed(file, layout, probes(varPath)) })),
    table: (path, what) => {
      const frame = file.table(path, what);
      return what === 'var' ? genes(frame, probes(path)) : frame;
    },
    genes: (varPath) => genes(file.genes(varPath), probes(varPath)),
    geneColumn: (varPath, name) => {
      const column = file.geneColumn(varPath, name);
      const probeSet = probes(varPath);
      if (column === undefined || probeSet === undefined) return column;
      return (
        probeSet.own.get(name) ?? (aboutProbes.has(name) ? undefined : keptColumn(column, probeSet.first))
      );
    },
    geneCautions: (varPath) => probeCautions(varPath, probes(varPath)),
  };
}

interface Probes {
  /** Gene of each probe; -1 for an excluded probe. */
  geneOf: Int32Array;
  first: Int32Array;
  symbols: readonly string[];
  own: ReadonlyMap<string, Column>;
  lostGenes: number;
}

/** Columns of var that describe a probe only. */
const aboutProbes = new Set(['probe_region', 'filtered_probes', 'gene_id', 'gene_name', 'target_sets']);
/** Cell Ranger's probe names: gene id, symbol and seven digits of a hash. */
const probeName = /^([^|]+)\|([^|]+)\|[0-9a-f]{7}$/;

/** Undefined if features are not probes. Never throws for a damaged table, which is reported when it is read. */
function findProbes(file: DatasetFile, varPath: string): Probes | undefined {
  try {
    const column = (name: string) => file.geneColumn(varPath, name);
    const texts = (name: string) => {
      const read = column(name);
      return read && columnTexts(read);
    };
    const names = texts('gene_ids');
    const passed = column('filtered_probes');
    const described = passed !== undefined || column('probe_region') !== undefined;
    const parsed = names?.map((name) => probeName.exec(name));
    const isNamed =
      parsed !== undefined && 2 * parsed.filter((match) => match !== null).length > parsed.length;
    if (!isNamed && !described) return undefined;
    const ids =
      texts('gene_id') ?? (isNamed ? parsed.map((match, at) => match?.[1] ?? names![at]!) : undefined);
    if (ids === undefined) return undefined;
    const symbols = texts('gene_name') ?? parsed?.map((match, at) => match?.[2] ?? names![at]!) ?? ids;
    const all = ids.map((id, at) => !deprecated.test(names?.[at] ?? id));
    const sound = all.map((is, at) => is && hasPassed(passed, at));
    return probesOfGenes(ids, symbols, sound.includes(true) ? sound : all);
  } catch (error) {
    if (error instanceof H5adError) return undefined;
    throw error;
  }
}

const deprecated = /^DEPRECATED/i;

function hasPassed(passed: Column | undefined, at: number): boolean {
  if (passed?.kind === 'boolean' || passed?.kind === 'numeric') return passed.values[at] !== 0;
  if (passed?.kind !== 'categorical') return true;
  return !/^(false|0)$/i.test(passed.categories[passed.codes[at]!] ?? '');
}

/** Genes in the order of their first probe. */
function probesOfGenes(
  ids: readonly string[],
  symbols: readonly string[],
  sound: readonly boolean[],
): Probes {
  const placeOf = new Map<string, number>();
  const first: number[] = [];
  const geneOf = new Int32Array(ids.length).fill(-1);
  ids.forEach((id, probe) => {
    if (!sound[probe]) return;
    let gene = placeOf.get(id);
    if (gene === undefined) {
      gene = first.push(probe) - 1;
      placeOf.set(id, gene);
    }
    geneOf[probe] = gene;
  });
  const text = (of: readonly string[]): Column => ({
    kind: 'string',
    strings: packStrings(first.map((probe) => of[probe]!)),
  });
  return {
    geneOf,
    first: Int32Array.from(first),
    symbols: first.map((probe) => symbols[probe]!),
    own: new Map([['gene_ids', text(ids)]]),
    lostGenes: new Set(ids).size - first.length,
  };
}

/** Throws H5adError for a matrix whose columns cannot be summed while it is read. */
function summed(file: DatasetFile, layout: MatrixLayout, probes: Probes | undefined): MatrixLayout {
  // A length other than that of the matrix is reported when both are read.
  if (probes === undefined || probes.geneOf.length !== layout.geneCount) return layout;
  if (layout.format === 'csc') {
    throw new H5adError({
      code: 'unreadable',
      path: file.hdf5.path,
      part: layout.path,
      problem:
        'its columns are probes, several a gene, in a CSC matrix, whose columns cannot be summed here.',
      hint: 'Write it as CSR: adata.X = adata.X.tocsr().',
    });
  }
  return { ...layout, geneCount: probes.first.length, geneOf: probes.geneOf };
}

function geneTable(table: Table, { first, symbols, own }: Probes): Table {
  const firstRows = keptTable(table, first);
  const columns = [...firstRows.columns].filter(([name]) => !aboutProbes.has(name) && !own.has(name));
  return { ...firstRows, index: packStrings([...symbols]), columns: new Map([...own, ...columns]) };
}

function probeCautions(varPath: string, probes: Probes | undefined): Caution[] {
  if (probes === undefined) return [];
  const { geneOf, first, lostGenes } = probes;
  const left = geneOf.reduce((sum, gene) => sum + (gene < 0 ? 1 : 0), 0);
  const sums = geneOf.length - left;
  const lost = lostGenes === 0 ? '' : `, and with them ${countText(lostGenes)} genes that have no other`;
  return [
    {
      code: 'probes-summed',
      message: `The features of ${varPath} are probes: counts of ${countText(sums)} probes were summed to those of ${countText(first.length)} genes.${left === 0 ? '' : ` ${countText(left)} probes that are deprecated or did not pass the filter of Cell Ranger (filtered_probes) were left out${lost}.`}`,
      numbers: { probes: sums, genes: first.length, leftOut: left },
    },
  ];
}
