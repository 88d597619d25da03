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
    hint: `Cells this many median absolute deviations (×\u00a0${deviationScale}) from the median are taken away.`,
  },
  {
    ...quality,
    name: 'minimumCounts',
    label: 'Fewest counts of a cell',
    default: 'From the data',
    hint: 'Instead of the outlier limit.',
  },
  {
    ...quality,
    name: 'minimumGenes',
    label: 'Fewest genes of a cell',
    default: 'From the data',
    hint: 'Detected genes, instead of the outlier limit.',
  },
  {
    ...quality,
    name: 'maximumMitochondrial',
    label: 'Most mitochondrial counts, in %',
    default: 'From the data',
    hint: 'Of all counts of a cell, instead of the outlier limit.',
    percent: true,
  },
  {
    ...graph,
    name: 'variableGenes',
    label: 'Variable genes',
    default: String(processingDefaults.variableGenes),
    hint: 'At most; the components are made of them.',
  },
  {
    ...graph,
    name: 'components',
    label: 'Principal components',
    default: String(processingDefaults.components),
    hint: 'Fewer where there are fewer genes or cells.',
  },
  {
    ...graph,
    name: 'neighbours',
    label: 'Neighbours',
    default: String(processingDefaults.neighbours),
    hint: 'Of each cell, for clusters and UMAP alike.',
  },
  {
    name: 'resolution',
    label: 'Resolution',
    default: String(processingDefaults.resolution),
    hint: 'Of the Leiden clustering; a larger one gives more clusters.',
    parts: ['clusters'],
    percent: false,
  },
  {
    name: 'minimumDistance',
    label: 'Minimum distance',
    default: String(processingDefaults.minimumDistance),
    hint: 'Of the UMAP: how close its points may lie.',
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
