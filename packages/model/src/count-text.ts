/** 12345 as `12,345`, in messages of all packages alike. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/**
 * The smallest number that a double holds with all its digits. A p-value below it is shown as `< 2.2e-308`: where it is
 * 0, the test found less than a number can say, and never nothing.
 */
export const leastPValue = 2.2250738585072014e-308;
