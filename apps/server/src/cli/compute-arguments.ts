import { InvalidArgumentError } from 'commander';
import type { DropletChoice } from '@cellfolio/contract';

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
