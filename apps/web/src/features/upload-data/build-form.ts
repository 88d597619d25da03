import type { BuildRequest, ColumnChoice, OwnFile } from '@cellfolio/contract';
import type { Setting, TypedSettings } from './processing-settings.ts';
import { settingProblem, settings, typedChoice, typedSettings } from './processing-settings.ts';
import type { Computed, H5adReport } from './report-text.ts';

export type Role = H5adReport['roles'][number]['role'];

export const roleLabels: Readonly<Record<Role, string>> = {
  cellType: 'Cell type',
  cluster: 'Cluster',
  embedding: 'Embedding',
  patient: 'Patient',
  symbol: 'Gene symbols',
};

export const roles = Object.keys(roleLabels) as readonly Role[];

/** What the owner has chosen for a dataset; what is not in it is found or has its default. */
export interface BuildForm {
  columns: Readonly<ColumnChoice>;
  settings: TypedSettings;
  /** Column whose samples have thresholds of their own; `null`: none; absent: as found. */
  sampleColumn?: string | null;
}

/** The choices that the dataset was made with; before there is one, those that the file was looked at with. */
export function formOf(dataset: OwnFile['dataset'], report?: Pick<H5adReport, 'choices'>): BuildForm {
  const { columns = {}, processing = {} } = dataset ?? report?.choices ?? {};
  const { sampleColumn } = processing;
  return {
    columns,
    settings: typedSettings(processing),
    ...(sampleColumn !== undefined && { sampleColumn }),
  };
}

export function buildRequest({ columns, settings: typed, sampleColumn }: BuildForm): Required<BuildRequest> {
  return {
    columns,
    processing: { ...typedChoice(typed), ...(sampleColumn !== undefined && { sampleColumn }) },
  };
}

/** What is computed of a file when these columns are chosen; the server decides the same. */
export function computedWith(parts: readonly Computed[], columns: BuildForm['columns']): Computed[] {
  const { cellType, cluster, embedding } = columns;
  return parts.filter((part) => {
    if (part === 'clusters') return cluster === undefined;
    if (part === 'embedding') return embedding === undefined;
    return cellType === undefined && cluster === undefined && embedding === undefined;
  });
}

/** Whether the boxes that are shown hold what the server takes. */
export function isSound({ settings: typed }: BuildForm, shown: readonly Setting[] = settings): boolean {
  return shown.every((setting) => settingProblem(setting, typed[setting.name] ?? '') === null);
}

/** Whether two forms ask for the same. */
export function isSameForm(one: BuildForm, other: BuildForm): boolean {
  return (
    one.sampleColumn === other.sampleColumn &&
    roles.every((role) => one.columns[role] === other.columns[role]) &&
    settings.every(({ name }) => (one.settings[name] ?? '').trim() === (other.settings[name] ?? '').trim())
  );
}

/** A form that was kept in the browser; `null` stands for none. */
export function readForm(stored: unknown): BuildForm | null | undefined {
  if (stored === null) return null;
  if (typeof stored !== 'object') return undefined;
  const { columns, settings: typed, sampleColumn } = stored as Partial<Record<keyof BuildForm, unknown>>;
  return {
    columns: texts(columns, roles),
    settings: texts(
      typed,
      settings.map(({ name }) => name),
    ),
    ...((sampleColumn === null || typeof sampleColumn === 'string') && { sampleColumn }),
  };
}

function texts<K extends string>(value: unknown, names: readonly K[]): Partial<Record<K, string>> {
  if (typeof value !== 'object' || value === null) return {};
  const found = value as Record<string, unknown>;
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = Object.hasOwn(found, name) ? found[name] : undefined;
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  ) as Partial<Record<K, string>>;
}
