const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** 'Just now' up to a minute, then minutes, from an hour on hours, from a day on the date. */
export function imageAge(createdAt: number, now: number): string {
  const age = now - createdAt;
  if (age <= minute) return 'Just now';
  if (age < hour) return `${Math.floor(age / minute)}m ago`;
  if (age < day) return `${Math.floor(age / hour)}h ago`;
  return new Date(createdAt).toLocaleDateString('en-US');
}
