let longDates: Intl.DateTimeFormat | undefined;

/** 'January 31, 2027', in the time of this device. `iso` is a date that can be read. */
export function longDate(iso: string): string {
  // Made for the first date, not while code is loaded: on a phone it takes up to a tenth of a second.
  longDates ??= new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
  return longDates.format(new Date(iso));
}
