const longDates = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });

/** 'January 31, 2027', in the time of this device. `iso` is a date that can be read. */
export function longDate(iso: string): string {
  return longDates.format(new Date(iso));
}
