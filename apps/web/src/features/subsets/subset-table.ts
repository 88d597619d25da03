import { tableFailure } from '@/lib/refusal-reason.ts';
import type { Services } from '@/lib/services.ts';
import type { SubsetDraft } from './filter-config.ts';
import type { SavedSubset } from './saved-subset.ts';
import { readSubset, subsetColumns } from './saved-subset.ts';

/** Whose subsets, and of what. */
export interface SubsetOwner {
  userId: string;
  datasetName: string;
  diseaseName: string;
}

/** A call on the saved subsets failed. */
export class SubsetTableFailed extends Error {
  override readonly name = 'SubsetTableFailed';
  readonly action: 'list' | 'load' | 'create' | 'update' | 'delete';

  constructor(action: SubsetTableFailed['action'], cause: unknown) {
    super(tableFailure(cause), { cause });
    this.action = action;
  }
}

type Tables = Services['tables'];
const table = 'subset_metadata';

/** The user's subsets of a dataset and disease, newest first. @throws {SubsetTableFailed} */
export async function listSubsets(
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

/** A subset with the dataset it is of. */
export interface SubsetOfDataset extends SavedSubset {
  datasetName: string;
  diseaseName: string;
}

/** The user's subsets of several datasets. @throws {SubsetTableFailed} */
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

/** A subset as it is now: another device may have changed it. @throws {SubsetTableFailed} also where it is gone. */
export async function loadSubset(tables: Tables, { userId }: SubsetOwner, id: string): Promise<SavedSubset> {
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

/** @throws {SubsetTableFailed} */
export async function createSubset(
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

/** @throws {SubsetTableFailed} also where the subset is gone. */
export async function updateSubset(
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

/** Deleting what is gone already is no failure. @throws {SubsetTableFailed} */
export async function deleteSubset(tables: Tables, { userId }: SubsetOwner, id: string): Promise<void> {
  const { error } = await (await tables()).from(table).delete().eq('id', id).eq('user_id', userId);
  if (error) throw new SubsetTableFailed('delete', error);
}

function oneSubset(action: SubsetTableFailed['action'], data: unknown, error: unknown): SavedSubset {
  if (error) throw new SubsetTableFailed(action, error);
  const subset = readSubset(data);
  if (subset === undefined) throw new SubsetTableFailed(action, new Error('The answer is no subset.'));
  return subset;
}
