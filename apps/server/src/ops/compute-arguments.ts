import { InvalidArgumentError } from 'commander';
import { processingChoice, type DropletChoice } from '@cellfolio/contract';

/** Resolution of the clustering. */
export function resolution(text: string): number {
  const given = Number(text);
  if (!(given >= 0.01 && given <= 20)) throw new InvalidArgumentError('It must be a number from 0.01 to 20.');
  return given;
}

/** `called`, `all` or a number of counts. */
export function dropletWords(text: string): DropletChoice {
  if (text === 'called' || text === 'all') return { keep: text };
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be called, all or a whole number of counts.');
  return { keep: 'minimum', minimumCounts: Number(text) };
}

type Bounded = 'deviations' | 'minimumCounts' | 'minimumGenes' | 'maximumMitochondrial';

/** A parser of a number that the setting takes. */
export function settingNumber(name: Bounded): (text: string) => number {
  const { minValue, maxValue, format } = processingChoice.shape[name].unwrap();
  const kind = format === 'safeint' ? 'a whole number' : 'a number';
  return (text) => {
    const given = text.trim() === '' ? NaN : Number(text);
    if (processingChoice.shape[name].safeParse(given).success) return given;
    throw new InvalidArgumentError(`It must be ${kind} from ${minValue} to ${maxValue}.`);
  };
}

/** A column of obs, or `none`. */
export function sampleColumn(text: string): string | null {
  if (text === 'none') return null;
  if (processingChoice.shape.sampleColumn.safeParse(text).success) return text;
  throw new InvalidArgumentError('It must be the name of a column, or none.');
}
