import type { FilterRequest } from '@cellfolio/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '@/components/ui/toast.ts';
import { tableFailure } from '@/lib/refusal-reason.ts';
import { plural } from '@/lib/format.ts';
import type { Services } from '@/lib/services.ts';
import { useServices, useUserId } from '@/lib/services.ts';
import type { FilterConfig, MapSelection, SubsetDraft } from './filter-config.ts';
import {
  defaultPercentile,
  emptyConfig,
  emptyDraft,
  legacyConfig,
  readFilterConfig,
} from './filter-config.ts';
import { filterPayload } from './filter-payload.ts';

export function useSavedSubsets(datasetName: string, diseaseName: string) {
  const { tables } = useServices();
  const client = useQueryClient();
  const userId = useUserId();
  const owner: SubsetOwner = { userId, datasetName, diseaseName };
  const options = queryOptions({
    queryKey: ['subsets', userId, datasetName, diseaseName],
    queryFn: ({ signal }) => listSubsets(tables, owner, signal),
    enabled: userId !== '',
  });
  const list = useQuery(options);
  const failed = list.isError;
  useEffect(() => {
    if (failed) toast.error('Error', { id: 'subsets', description: 'Failed to load saved subsets.' });
  }, [failed]);

  const change = (edit: (subsets: readonly SavedSubset[]) => SavedSubset[]) =>
    client.setQueryData(options.queryKey, (subsets) => edit(subsets ?? []));
  const replace = (subset: SavedSubset) =>
    change((subsets) => subsets.map((other) => (other.id === subset.id ? subset : other)));
  const load = useMutation({
    mutationFn: (id: string) => loadSubset(tables, owner, id),
    onSuccess: replace,
  });
  const create = useMutation({
    mutationFn: (draft: SubsetDraft) => createSubset(tables, owner, draft),
    onSuccess: (subset) => change((subsets) => [subset, ...subsets]),
  });
  const update = useMutation({
    mutationFn: ({ id, draft }: { id: string; draft: SubsetDraft }) => updateSubset(tables, owner, id, draft),
    onSuccess: replace,
  });
  const remove = useMutation({
    mutationFn: (id: string) => deleteSubset(tables, owner, id),
    onSuccess: (_, id) => change((subsets) => subsets.filter((other) => other.id !== id)),
  });
  return { list, load, create, update, remove };
}

export type SavedSubsets = ReturnType<typeof useSavedSubsets>;

interface SubsetOwner {
  userId: string;
  datasetName: string;
  diseaseName: string;
}

class SubsetTableFailed extends Error {
  override readonly name = 'SubsetTableFailed';
  readonly action: 'list' | 'load' | 'create' | 'update' | 'delete';

  constructor(action: SubsetTableFailed['action'], cause: unknown) {
    super(tableFailure(cause), { cause });
    this.action = action;
  }
}

type Tables = Services['tables'];
const table = 'subset_metadata';

/** The user's subsets of a dataset and disease, newest first. Throws SubsetTableFailed. */
async function listSubsets(
  tables: Tables,
  { userId, datasetName, diseaseName }: SubsetOwner,
  signal: AbortSignal,
): Promise<SavedSubset[]> {
  const { data, error } = await (
    await tables()
  )
    .from(table)
    .select('*')
    .eq('user_id', userId)
    .eq('dataset_name', datasetName)
    .eq('disease_name', diseaseName)
    .order('created_at', { ascending: false })
    .abortSignal(signal);
  if (error) throw new SubsetTableFailed('list', error);
  return data.map(readSubset).filter((subset) => subset !== undefined);
}

interface SubsetOfDataset extends SavedSubset {
  datasetName: string;
  diseaseName: string;
}

/** The user's subsets of several datasets. Throws SubsetTableFailed. */
export async function listSubsetsOf(
  tables: Tables,
  userId: string,
  datasetNames: readonly string[],
  signal: AbortSignal,
): Promise<SubsetOfDataset[]> {
  const { data, error } = await (
    await tables()
  )
    .from(table)
    .select('*')
    .eq('user_id', userId)
    .in('dataset_name', [...datasetNames])
    .abortSignal(signal);
  if (error) throw new SubsetTableFailed('list', error);
  return data.flatMap((row) => {
    const subset = readSubset(row);
    if (subset === undefined) return [];
    return [{ ...subset, datasetName: String(row.dataset_name), diseaseName: String(row.disease_name) }];
  });
}

/**
 * Loads the current state of a subset, which another device may have changed. Throws SubsetTableFailed, also if it was
 * deleted.
 */
async function loadSubset(tables: Tables, { userId }: SubsetOwner, id: string): Promise<SavedSubset> {
  const { data, error } = await (
    await tables()
  )
    .from(table)
    .select('*')
    .eq('id', id)
    .eq('user_id', userId)
    .single();
  return oneSubset('load', data, error);
}

async function createSubset(
  tables: Tables,
  { userId, datasetName, diseaseName }: SubsetOwner,
  draft: SubsetDraft,
): Promise<SavedSubset> {
  const row = {
    ...subsetColumns(draft),
    user_id: userId,
    dataset_name: datasetName,
    disease_name: diseaseName,
  };
  const { data, error } = await (await tables()).from(table).insert(row).select().single();
  return oneSubset('create', data, error);
}

/** Throws SubsetTableFailed, also if the subset was deleted. */
async function updateSubset(
  tables: Tables,
  { userId }: SubsetOwner,
  id: string,
  draft: SubsetDraft,
): Promise<SavedSubset> {
  const { data, error } = await (
    await tables()
  )
    .from(table)
    .update({ ...subsetColumns(draft), updated_at: new Date().toISOString() })
    .eq('id', id)
    .eq('user_id', userId)
    .select()
    .single();
  return oneSubset('update', data, error);
}

/** Succeeds if already deleted. Throws SubsetTableFailed. */
async function deleteSubset(tables: Tables, { userId }: SubsetOwner, id: string): Promise<void> {
  const { error } = await (await tables()).from(table).delete().eq('id', id).eq('user_id', userId);
  if (error) throw new SubsetTableFailed('delete', error);
}

function oneSubset(action: SubsetTableFailed['action'], data: unknown, error: unknown): SavedSubset {
  if (error) throw new SubsetTableFailed(action, error);
  const subset = readSubset(data);
  if (subset === undefined) throw new SubsetTableFailed(action, new Error('The answer is no subset.'));
  return subset;
}

export interface SavedSubset {
  id: string;
  name: string;
  draft: SubsetDraft;
  filter: FilterRequest;
}

interface SubsetColumns {
  subset_name: string;
  subset_type: 'gene';
  gene_symbol: string;
  percentile: number;
  selected_cell_types: string[];
  filter_config: unknown;
}

/** Reads a row; converts an older one without a configuration. `undefined` if the row is not a subset. */
export function readSubset(row: unknown): SavedSubset | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  const { id, subset_name: name, filter_config: stored, ...columns } = row as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  const config = readFilterConfig(stored);
  const legacy = legacyConfig({
    gene_symbol: columns['gene_symbol'],
    percentile: columns['percentile'],
    selected_cell_types: columns['selected_cell_types'],
  });
  const draft: SubsetDraft =
    config === undefined
      ? { name, ...legacy }
      : { name, config, percentile: legacy.percentile ?? defaultPercentile };
  return { id, name, draft, filter: filterPayload(name, draft.config) };
}

export function subsetColumns({ name, config, percentile }: SubsetDraft): SubsetColumns {
  const { kept: _, ...settings } = config;
  const on = new Set(config.activeFilterTypes);
  return {
    subset_name: name.trim(),
    subset_type: 'gene',
    gene_symbol: on.has('gene') ? config.geneFilter.genes.join(',') : '',
    percentile,
    selected_cell_types: on.has('celltype') ? config.cellTypeFilter.cellTypes : [],
    filter_config: { ...settings, ...storedCells(config), api_payload: filterPayload(name, config) },
  };
}

/** An active selection is stored only once, in the filter request: its text may have 170,000 characters. */
function storedCells({ activeFilterTypes, cellsFilter }: FilterConfig) {
  const { count, of } = cellsFilter;
  return {
    cellsFilter: activeFilterTypes.includes('cells')
      ? { count, ...(of !== undefined && { of }) }
      : cellsFilter,
  };
}

export function draftOfCells(name: string, cellsFilter: MapSelection): SubsetDraft {
  return { ...emptyDraft(), name, config: { ...emptyConfig(), activeFilterTypes: ['cells'], cellsFilter } };
}

/**
 * Describes the cells that a subset lists individually; `undefined` if it lists none. `version`: that of the open
 * dataset; cells of another version are labelled as such, since they cannot be found in this one.
 */
export function selectionText(
  { activeFilterTypes, cellsFilter }: FilterConfig,
  version = cellsFilter.version,
): string | undefined {
  if (!activeFilterTypes.includes('cells')) return undefined;
  const { count, of } = cellsFilter;
  const cells = count === null ? 'Cells' : plural(count, 'cell');
  const text = of === undefined ? `${cells} selected on the map` : `${cells}: ${of}`;
  return version === cellsFilter.version ? text : `${text}, from another version`;
}

export function draftOfFilter(filter: FilterRequest): SubsetDraft {
  const { gene, signature, cell_type: cellTypes, patient_metadata: metadata } = filter;
  const range = (part: typeof gene | typeof signature) => ({
    minPercentile: part?.min_percentile,
    maxPercentile: part?.max_percentile,
  });
  const config = readFilterConfig({
    activeFilterTypes: [
      ...(filter.gene_filter ? ['gene'] : []),
      ...(filter.signature_filter ? ['signature'] : []),
      ...(filter.cell_type_filter ? ['celltype'] : []),
      ...(filter.patient_metadata_filter ? ['metadata'] : []),
      ...(filter.cells_filter ? ['cells'] : []),
    ],
    geneFilter: {
      genes: gene ? [gene.name].flat() : [],
      filterType: gene?.presence,
      among: gene?.among,
      ...range(gene),
    },
    signatureFilter: {
      genes: signature?.genes,
      signatureName: signature?.score_name,
      ...range(signature),
    },
    cellTypeFilter: { cellTypes },
    metadataFilter: { selectedFields: Object.keys(metadata ?? {}), patientMetadata: metadata },
    cellsFilter: filter.cells,
    api_payload: { kept: filter.kept },
  });
  return {
    name: filter.subset_group_name,
    config: config ?? emptyConfig(),
    percentile: defaultPercentile,
  };
}
