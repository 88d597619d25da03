import { processingChoice, processingNumbers, type ProcessingNumberName } from '@cellfolio/contract';
import type { ProcessingChoice } from '@cellfolio/contract';
import { formatCount } from '@/lib/format.ts';
import type { Computed } from '../reports/report-text.ts';

export interface Setting {
  name: ProcessingNumberName;
  label: string;
  hint: string;
  /** Value used if the box is empty: a number of the server's, or a description. */
  default: string;
  parts: readonly Computed[];
  /** Shown in percent and sent as a share. */
  percent: boolean;
}

export const settings: readonly Setting[] = Object.entries(processingNumbers).map(([name, number]) => ({
  name: name as ProcessingNumberName,
  label: number.title,
  hint: number.hint,
  default: 'default' in number ? String(number.default) : 'From the data',
  parts: number.parts,
  percent: 'isShare' in number,
}));

export type TypedSettings = Readonly<Partial<Record<ProcessingNumberName, string>>>;

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
