import {
  countText,
  cutText,
  maxCategories as maxListedCategories,
  type CategoricalColumn,
  type Caution,
  type Table,
  listedNames,
  unitName,
  withoutTermColumns,
} from '@cellfolio/model';
import { H5adError } from '../h5ad-error.ts';
import { longLabel, longText, labelBudget, leftOutCaution, longLabelCaution } from '../layout/long-names.ts';
import type { RoleReport } from '../preflight-report.ts';
import type { ImportColumns } from '../import-columns.ts';
import { maxCategories, toCategorical } from './to-categorical.ts';

const maxNamed = 30;
const maxNameLength = 60;

type ObsRole = 'cellType' | 'cluster' | 'patient';

/**
 * Usual column names for each role, best first. Case, `_`, `-`, `.` and spaces do not matter; a name ending in `*`
 * matches by prefix.
 */
const roleNames: Record<ObsRole, readonly string[]> = {
  cellType: [
    'cell_type',
    'celltype',
    'cell_types',
    'celltypes',
    'bulk_labels',
    'cell_type_annotation',
    'celltype_annotation',
    'annotation',
    'annotations',
    'cell_annotation',
    'cell_ontology_class',
    'author_cell_type',
    'majorclass',
    'major_class',
    'major_cell_type',
    'cell_type_major',
    'celltype_major',
    'cell_label',
    'cell_labels',
    'predicted_cell_type',
    'predicted_labels',
    'majority_voting',
    'celltypist_cell_label',
    'cell_identity',
    'cell_subtype',
    'free_annotation',
    'final_annotation',
    'active_ident',
    'cell_type*',
    'celltype*',
    'annotation*',
  ],
  cluster: [
    'leiden',
    'louvain',
    'seurat_clusters',
    'cluster',
    'clusters',
    'cluster_id',
    'graphclust',
    'leiden*',
    'louvain*',
    'cluster*',
    'rna_snn_res*',
    'phenograph*',
  ],
  patient: [
    'patient',
    'patient_id',
    'donor',
    'donor_id',
    'individual',
    'individual_id',
    'subject',
    'subject_id',
    'participant',
    'participant_id',
    'case_id',
  ],
};
/** Columns of samples; one patient or animal may have several. */
const sampleNames = ['sample', 'sample_id', 'orig_ident'];

const words: Record<ObsRole, string> = { cellType: 'cell type', cluster: 'cluster', patient: 'patient' };

export interface ObsRoles {
  chosen: { cellType?: string; cluster?: string; patient?: string };
  metadata: Readonly<Record<string, string>>;
  table: Table;
  converted: ReadonlySet<string>;
  reports: readonly RoleReport[];
  warnings: readonly Caution[];
}

/** Assigns obs columns to roles. Throws H5adError `unknown-column` or `unusable-column`. */
export function detectObsRoles(path: string, obs: Table, named: ImportColumns): ObsRoles {
  const categories = new Map<string, CategoricalColumn>();
  const candidate = (name: string): CategoricalColumn | undefined => {
    const cached = categories.get(name);
    if (cached !== undefined) return cached;
    const column = obs.columns.get(name);
    const categorical = column === undefined ? undefined : toCategorical(column);
    if (categorical !== undefined) categories.set(name, categorical);
    return categorical;
  };
  const columns = [...obs.columns.keys()];
  // Ontology ids belong to their labels, and are nothing to color by or to filter.
  const listed = withoutTermColumns(columns);
  const requireColumn = (name: string, role: string): string => {
    if (!obs.columns.has(name)) throw unknownColumn(path, 'obs', name, role, columns);
    const categorical = candidate(name);
    const isSome = (column = categorical) => column !== undefined && column.categories.length > 0;
    if (!isSome() || categorical!.categories.length > maxListedCategories)
      throw unusable(
        path,
        name,
        { role, label: longLabel(obs.columns.get(name)!), count: categorical?.categories.length ?? 0 },
        columns.filter((other) => usable(candidate(other))),
      );
    return name;
  };

  // Looked at and let go: of millions of cells, categories of every column would fill the memory.
  const possible = listed.filter((name) => {
    const categorical = categories.get(name) ?? toCategorical(obs.columns.get(name)!);
    return usable(categorical) && categorical.categories.length > 1;
  });
  const chosen: { cellType?: string; cluster?: string; patient?: string } = {};
  const reports: RoleReport[] = [];
  for (const role of ['cellType', 'cluster', 'patient'] as const) {
    const fitting = columnsOfRole(listed, role).filter((name) => usable(candidate(name)));
    const requested = named[role];
    // One value tells no patients apart, and another column may.
    const isTelling = (name: string) => role !== 'patient' || candidate(name)!.categories.length > 1;
    const bestFitting = fitting.find(isTelling);
    const name = requested === undefined ? bestFitting : requireColumn(requested, words[role]);
    if (name !== undefined) chosen[role] = name;
    reports.push({
      role,
      ...(name === undefined ? {} : { chosen: name }),
      why:
        requested !== undefined
          ? 'named in the import'
          : name === undefined
            ? fitting.length > 0
              ? `'${cutText(fitting[0]!, maxNameLength)}' has one value alone`
              : 'no column has a name that says so'
            : 'found by its name',
      // Columns with their own names too: their content is unknown.
      alternatives: [...new Set([...fitting, ...possible])].filter((other) => other !== name),
    });
  }
  // Clusters are computed, even where their column is used as cell types.
  if (chosen.cellType !== undefined && chosen.cellType === chosen.cluster) {
    delete chosen.cellType;
    const { chosen: column, ...rest } = reports[0]!;
    reports[0] = { ...rest, why: `'${cutText(column ?? '', maxNameLength)}' is the column of the clusters` };
  }
  const warnings: Caution[] = [];
  if (chosen.cellType === undefined) warnings.push(noCellType(chosen));
  if (chosen.cluster === undefined) {
    warnings.push({
      code: 'no-cluster',
      message: 'No column has a name that says that it holds clusters; choose one where there is one.',
    });
  }

  const table = new Map(obs.columns);
  const converted = new Set<string>();
  const asCategories = (name: string) => {
    const categorical = candidate(name);
    if (categorical === undefined || obs.columns.get(name)?.kind === 'categorical') return;
    table.set(name, categorical);
    converted.add(name);
  };
  for (const name of Object.values(chosen)) asCategories(name);
  // Animals are often numbered, and samples that lie in them are found by categories.
  for (const name of columns)
    if (unitName(name) === 'individual' && usable(candidate(name))) asCategories(name);
  const detected =
    named.metadata === undefined ? detectedMetadata(obs, listed, chosen, candidate) : undefined;
  const metadata = named.metadata ?? detected!.metadata;
  warnings.push(...longLabelCaution(obs), ...leftOutCaution(detected?.leftOut ?? []));
  for (const [shown, name] of Object.entries(metadata)) {
    if (named.metadata !== undefined) requireColumn(name, `metadata '${shown}'`);
    asCategories(name);
  }
  return { chosen, metadata, table: { ...obs, columns: table }, converted, reports, warnings };
}

/** Without cell types, figures are coloured by clusters and say so. */
function noCellType({ cluster }: { cluster?: string }): Caution {
  return {
    code: 'no-cell-type',
    message:
      cluster === undefined
        ? 'No column has a name that says that it holds cell types or clusters; choose one, and cells are colored by it.'
        : `No column holds cell types, so cells are colored by the clusters of '${cluster}'.`,
  };
}

function detectedMetadata(
  obs: Table,
  columns: readonly string[],
  chosen: { cellType?: string; cluster?: string },
  candidate: (name: string) => CategoricalColumn | undefined,
): { metadata: Record<string, string>; leftOut: readonly string[] } {
  const fits = labelBudget();
  const leftOut: string[] = [];
  // A Map keeps a column called `__proto__`, which an object would swallow.
  const metadata = new Map<string, string>();
  for (const name of columns) {
    const column = obs.columns.get(name)!;
    if (name === chosen.cellType || name === chosen.cluster) continue;
    // Text becomes metadata, as anndata itself makes it categorical on writing; numbers do not.
    const categorical =
      column.kind === 'categorical' || column.kind === 'string' ? candidate(name) : undefined;
    if (categorical === undefined || !usable(categorical) || categorical.categories.length < 2) continue;
    if (column.kind === 'string' && categorical.categories.length === obs.rowCount) continue;
    if (fits(name, categorical)) metadata.set(name, name);
    else leftOut.push(name);
  }
  return { metadata: Object.fromEntries(metadata), leftOut };
}

function usable(column: CategoricalColumn | undefined): column is CategoricalColumn {
  return column !== undefined && column.categories.length > 0 && column.categories.length <= maxCategories;
}

/** Columns whose names match a role, best first: patients before samples before replicate labels. */
function columnsOfRole(columns: readonly string[], role: ObsRole): string[] {
  const named = byPreference(columns, roleNames[role]);
  if (role !== 'patient') return named;
  const ofUnits = (kind: ReturnType<typeof unitName>) => columns.filter((name) => unitName(name) === kind);
  const samples = byPreference(columns, sampleNames);
  return [...new Set([...named, ...ofUnits('individual'), ...samples, ...ofUnits('label')])];
}

/** Whether a column of this name is used for cell types if there is no better one. */
export function isCellTypeName(name: string): boolean {
  return byPreference([name], roleNames.cellType).length > 0;
}

export function byPreference(columns: readonly string[], names: readonly string[]): string[] {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[_\-. ]/g, '');
  const ranked = names.flatMap((name) => {
    const pattern = plain(name);
    const matches = pattern.endsWith('*')
      ? (column: string) => plain(column).startsWith(pattern.slice(0, -1))
      : (column: string) => plain(column) === pattern;
    return columns.filter(matches);
  });
  return [...new Set(ranked)];
}

export function unknownColumn(
  path: string,
  part: string,
  name: string,
  role: string,
  there: readonly string[],
): H5adError {
  return new H5adError({
    code: 'unknown-column',
    path,
    part,
    problem: `there is no '${cutText(name, maxNameLength)}' to take as ${role}.`,
    hint:
      there.length === 0
        ? 'There are none at all.'
        : `There are: ${listedNames(there, maxNamed, maxNameLength)}.`,
  });
}

function unusable(
  path: string,
  name: string,
  { role, label, count }: { role: string; label: string | undefined; count: number },
  fitting: readonly string[],
): H5adError {
  return new H5adError({
    code: 'unusable-column',
    path,
    part: `obs/${name}`,
    problem: `it cannot be taken as ${role}: ${
      label !== undefined
        ? `one of its texts has ${longText(label)}.`
        : count > 0
          ? `it has ${countText(count)} categories, and ${countText(maxListedCategories)} are the most.`
          : `it has no categories, or more than ${maxCategories}.`
    }`,
    hint:
      fitting.length === 0
        ? 'No column can.'
        : `These can: ${listedNames(fitting, maxNamed, maxNameLength)}.`,
  });
}
