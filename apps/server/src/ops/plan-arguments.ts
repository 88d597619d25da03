import { InvalidArgumentError } from 'commander';
import type { Tier } from '@cellfolio/platform';

const tiers: ReadonlyMap<string, Tier | null> = new Map([
  ['standard', 'Standard'],
  ['professional', 'Professional'],
  ['none', null],
  ['trial', null],
]);

/** The plan of that name; null for none, which leaves the free trial as long as it lasts. */
export function planTier(text: string): Tier | null {
  const tier = tiers.get(text.trim().toLowerCase());
  if (tier === undefined) throw new InvalidArgumentError('It must be Standard, Professional, trial or none.');
  return tier;
}

/** The end of that day, UTC. A day that is not in the calendar is refused, not counted on into the next month. */
export function lastDay(text: string): Date {
  const date = new Date(`${text}T23:59:59Z`);
  const real = !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || !real) {
    throw new InvalidArgumentError('It must be a date such as 2027-12-31.');
  }
  return date;
}
