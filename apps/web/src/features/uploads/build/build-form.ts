import {
  expressionAnswer,
  fileSamplesDefaults,
  genesIn,
  partTitles,
  processingChoice,
  samplesChoice,
  samplesDone,
} from '@cellfolio/contract';
import type {
  BuildRequest,
  ColumnChoice,
  DropletChoice,
  UserFileRecord,
  QualityChoice,
  SamplesChoice,
} from '@cellfolio/contract';
import type { Computed, H5adReport } from '../reports/report-text.ts';
import { isSoundTyped, settings, typedChoice, typedSettings } from './processing-settings.ts';
import type { Setting, TypedSettings } from './processing-settings.ts';

export type Role = H5adReport['roles'][number]['role'];

export const roleLabels: Readonly<Record<Role, string>> = {
  ...partTitles,
  embedding: 'Embedding',
  patient: 'Patient',
  symbol: 'Gene symbols',
};

export const roles = Object.keys(roleLabels) as readonly Role[];

/** The owner's choices for a dataset; anything absent is detected or has its default. */
export interface BuildForm {
  columns: Readonly<ColumnChoice>;
  settings: TypedSettings;
  /** Column whose samples have separate thresholds; `null`: none; absent: as detected. */
  sampleColumn?: string | null;
  /** Which barcodes become cells; absent: cell calling, if most barcodes are empty. */
  droplets?: DropletChoice;
  /** Handling of samples; absent: the default for combined files, nothing for others. */
  samples?: SamplesChoice;
}

/** Choices that the dataset was made with; before there is one, those of the file's inspection. */
export function formOf(dataset: UserFileRecord['dataset'], report?: Pick<H5adReport, 'choices'>): BuildForm {
  const { columns = {}, processing = {} } = dataset ?? report?.choices ?? {};
  const { sampleColumn, droplets, samples } = processing;
  return {
    columns,
    settings: typedSettings(processing),
    ...(sampleColumn !== undefined && { sampleColumn }),
    ...(droplets !== undefined && { droplets }),
    ...(samples !== undefined && { samples }),
  };
}

export function buildRequest({
  columns,
  settings: typed,
  sampleColumn,
  droplets,
  samples,
}: BuildForm): Required<BuildRequest> {
  return {
    columns,
    processing: {
      ...typedChoice(typed),
      ...(sampleColumn !== undefined && { sampleColumn }),
      ...(droplets !== undefined && { droplets }),
      ...(samples !== undefined && { samples }),
    },
  };
}

export function qualityChoice(form: BuildForm): QualityChoice {
  const { columns = {}, processing = {} } = buildRequest(form);
  return {
    symbol: columns.symbol,
    expression: columns.expression,
    droplets: processing.droplets,
    deviations: processing.deviations,
    minimumCounts: processing.minimumCounts,
    minimumGenes: processing.minimumGenes,
    maximumMitochondrial: processing.maximumMitochondrial,
    sampleColumn: processing.sampleColumn,
  };
}

/** Parts computed for a file with these columns; the server decides by the same rule. */
export function computedWith(parts: readonly Computed[], columns: BuildForm['columns']): Computed[] {
  const { cellType, cluster, embedding } = columns;
  return parts.filter((part) => {
    if (part === 'clusters') return cluster === undefined;
    if (part === 'embedding') return embedding === undefined;
    return cellType === undefined && cluster === undefined && embedding === undefined;
  });
}

export function isSound({ settings: typed }: BuildForm, shown: readonly Setting[] = settings): boolean {
  return isSoundTyped(typed, shown);
}

export function isUnanswered(report: H5adReport, { columns }: BuildForm): boolean {
  return (['genesIn', 'expression'] as const).some(
    (what) => report.waitsFor.includes(what) && columns[what] === undefined,
  );
}

export function isSameForm(one: BuildForm, other: BuildForm): boolean {
  return (
    one.columns.expression === other.columns.expression &&
    one.columns.genesIn === other.columns.genesIn &&
    one.sampleColumn === other.sampleColumn &&
    isSameDroplets(one.droplets, other.droplets) &&
    isSameSamples(one.samples, other.samples) &&
    roles.every((role) => one.columns[role] === other.columns[role]) &&
    settings.every(({ name }) => (one.settings[name] ?? '').trim() === (other.settings[name] ?? '').trim())
  );
}

export function isSameDroplets(one: DropletChoice = {}, other: DropletChoice = {}): boolean {
  return (['keep', 'falseDiscoveryRate', 'emptyUpTo', 'minimumCounts'] as const).every(
    (name) => one[name] === other[name],
  );
}

function isSameSamples(
  one: SamplesChoice = fileSamplesDefaults,
  other: SamplesChoice = fileSamplesDefaults,
): boolean {
  return JSON.stringify(samplesDone(one)) === JSON.stringify(samplesDone(other));
}

/** Reads a stored form; `null` stands for none. */
export function readForm(stored: unknown): BuildForm | null | undefined {
  if (stored === null) return null;
  if (typeof stored !== 'object') return undefined;
  const {
    columns,
    settings: typed,
    sampleColumn,
    droplets,
    samples,
  } = stored as Partial<Record<keyof BuildForm, unknown>>;
  const answer = expressionAnswer.safeParse(texts(columns, ['expression']).expression);
  const side = genesIn.safeParse(texts(columns, ['genesIn']).genesIn);
  const barcodes = processingChoice.shape.droplets.safeParse(droplets);
  return {
    columns: {
      ...texts(columns, roles),
      ...(answer.success && { expression: answer.data }),
      ...(side.success && { genesIn: side.data }),
    },
    settings: texts(
      typed,
      settings.map(({ name }) => name),
    ),
    ...((sampleColumn === null || typeof sampleColumn === 'string') && { sampleColumn }),
    ...(barcodes.data !== undefined && { droplets: barcodes.data }),
    ...(samples !== undefined && { samples: samplesChoice.safeParse(samples).data ?? {} }),
  };
}

function texts<K extends string>(value: unknown, names: readonly K[]): Partial<Record<K, string>> {
  if (typeof value !== 'object' || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = fields.get(name);
      return typeof text === 'string' && text !== '' ? [[name, text]] : [];
    }),
  ) as Partial<Record<K, string>>;
}
