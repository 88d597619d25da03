import { deviationScale, processingChoice, processingDefaults } from '@cellfolio/contract';
import type { ProcessingChoice } from '@cellfolio/contract';
import { formatCount } from '@/lib/format.ts';
import type { Computed } from '../reports/report-text.ts';

type SettingName = Exclude<keyof ProcessingChoice, 'sampleColumn' | 'droplets' | 'samples'>;

export interface Setting {
  name: SettingName;
  label: string;
  hint: string;
  /** Value used if the box is empty: a number of the server's, or a description. */
  default: string;
  parts: readonly Computed[];
  /** Shown in percent and sent as a share. */
  percent: boolean;
}

const quality = { parts: ['qualityControl'], percent: false } as const;
const graph = { parts: ['clusters', 'embedding'], percent: false } as const;

export const settings: readonly Setting[] = [
  {
    ...quality,
    name: 'deviations',
    label: 'Outlier limit',
    default: String(processingDefaults.deviations),
    hint: `Cells this many median absolute deviations (×\u00a0${deviationScale}) from the median are removed.`,
  },
  {
    ...quality,
    name: 'minimumCounts',
    label: 'Minimum counts per cell',
    default: 'From the data',
    hint: 'Replaces the outlier limit.',
  },
  {
    ...quality,
    name: 'minimumGenes',
    label: 'Minimum genes per cell',
    default: 'From the data',
    hint: 'Detected genes; replaces the outlier limit.',
  },
  {
    ...quality,
    name: 'maximumMitochondrial',
    label: 'Maximum % mitochondrial',
    default: 'From the data',
    hint: 'Of all counts of a cell; replaces the outlier limit.',
    percent: true,
  },
  {
    ...graph,
    name: 'variableGenes',
    label: 'Variable genes',
    default: String(processingDefaults.variableGenes),
    hint: 'Maximum number; the components are computed from them.',
  },
  {
    ...graph,
    name: 'components',
    label: 'Principal components',
    default: String(processingDefaults.components),
    hint: 'Fewer if there are fewer genes or cells.',
  },
  {
    ...graph,
    name: 'neighbours',
    label: 'Neighbours',
    default: String(processingDefaults.neighbours),
    hint: 'Per cell, for clusters and UMAP.',
  },
  {
    name: 'resolution',
    label: 'Resolution',
    default: String(processingDefaults.resolution),
    hint: 'Of the Leiden clustering: higher gives more clusters.',
    parts: ['clusters'],
    percent: false,
  },
  {
    name: 'minimumDistance',
    label: 'Minimum distance',
    default: String(processingDefaults.minimumDistance),
    hint: 'How close points may be on the UMAP.',
    parts: ['embedding'],
    percent: false,
  },
];

export type TypedSettings = Readonly<Partial<Record<SettingName, string>>>;

/** Limits as shown, from the contract: minimum, maximum, and whether only whole numbers are valid. */
export function limitsOf({ name, percent }: Setting): { min: number; max: number; whole: boolean } {
  const { minValue, maxValue, format } = processingChoice.shape[name].unwrap();
  const factor = percent ? 100 : 1;
  return {
    min: (minValue ?? -Infinity) * factor,
    max: (maxValue ?? Infinity) * factor,
    whole: format === 'safeint',
  };
}

/** Server-side validation error of the value; `null` if valid. */
export function settingProblem(setting: Setting, typed: string): string | null {
  const value = sentValue(setting, typed);
  if (value === undefined || processingChoice.shape[setting.name].safeParse(value).success) return null;
  const { min, max, whole } = limitsOf(setting);
  return `${whole ? 'A whole number from' : 'A number from'} ${formatCount(min)} to ${formatCount(max)}.`;
}

export function isSoundTyped(typed: TypedSettings, shown: readonly Setting[]): boolean {
  return shown.every((setting) => settingProblem(setting, typed[setting.name] ?? '') === null);
}

/** Choices of the boxes; an invalid one is omitted if its setting does not apply. */
export function typedChoice(typed: TypedSettings): ProcessingChoice {
  return Object.fromEntries(
    settings.flatMap((setting) => {
      const text = typed[setting.name] ?? '';
      const value = sentValue(setting, text);
      return value === undefined || settingProblem(setting, text) !== null ? [] : [[setting.name, value]];
    }),
  );
}

export function typedSettings(choice: ProcessingChoice): TypedSettings {
  return Object.fromEntries(
    settings.flatMap(({ name, percent }) => {
      const value = choice[name];
      return value === undefined ? [] : [[name, String(percent ? rounded(value * 100) : value)]];
    }),
  );
}

function sentValue({ percent }: Setting, typed: string): number | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return undefined;
  return percent ? rounded(Number(text) / 100) : Number(text);
}

/** Removes the rounding error of converting between share and percent. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
