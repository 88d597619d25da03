/** What is typed as a number; 0 where it is none. */
export function numberOrZero(text: string): number {
  const value = Number(text.trim().replace(',', '.'));
  return Number.isFinite(value) ? value : 0;
}
