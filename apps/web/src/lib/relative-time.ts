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
