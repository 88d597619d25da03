export { countText as formatCount, percentText as percent, plural, pluralWord } from '@cellfolio/contract';

const maxNameLength = 40;

export function shortName(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
}

/** The first few names, then how many more: 'A, B, C and 37 more'. */
export function nameList(names: readonly string[], max = 3): string {
  const shown = names.slice(0, max).map(shortName).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** 'January 31, 2027' in local time. `iso` must be a valid date. */
export function longDate(iso: string): string {
  const date = new Date(iso);
  return `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'January 31, 2027, 09:05:30' in local time; the seconds distinguish items made in succession. */
export function longDateTime(iso: string): string {
  const date = new Date(iso);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return `${longDate(iso)}, ${time.map((part) => String(part).padStart(2, '0')).join(':')}`;
}

/** 'Just now' under a minute, then whole minutes, hours and days: '5m ago', '3h ago', '2d ago'. */
export function relativeTime(timestamp: number, now: number): string {
  const age = now - timestamp;
  if (age < minute) return 'Just now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  return `${Math.floor(age / day)}d ago`;
}
