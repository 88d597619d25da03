let grouped: Intl.NumberFormat | undefined;

/** 12345 → '12,345'. */
export function formatCount(value: number): string {
  // Made for the first number, not while code is loaded: on a phone it takes up to a tenth of a second.
  grouped ??= new Intl.NumberFormat('en-US');
  return grouped.format(value);
}

/** 1 → '1 dataset', 3 → '3 datasets'. */
export function counted(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

const maxNameLength = 40;

/** A name for display, truncated if too long. */
export function shortName(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}

/** The first few names, then how many more: 'A, B, C and 37 more'. */
export function nameList(names: readonly string[], max = 3): string {
  const shown = names.slice(0, max).map(shortName).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}

let longDates: Intl.DateTimeFormat | undefined;

/** 'January 31, 2027', in the time of this device. `iso` is a date that can be read. */
export function longDate(iso: string): string {
  // Made for the first date, not while code is loaded: on a phone it takes up to a tenth of a second.
  longDates ??= new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
  return longDates.format(new Date(iso));
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'Just now' under a minute, then whole minutes, hours and days: '5m ago', '3h ago', '2d ago'. */
export function relativeTime(timestamp: number, now: number): string {
  const age = now - timestamp;
  if (age < minute) return 'Just now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  return `${Math.floor(age / day)}d ago`;
}
