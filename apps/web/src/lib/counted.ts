const grouped = new Intl.NumberFormat('en-US');

/** 12345 → '12,345'. */
export function formatCount(value: number): string {
  return grouped.format(value);
}

/** 1 → '1 dataset', 3 → '3 datasets'. */
export function counted(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}
