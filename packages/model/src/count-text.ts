/** 12345 as `12,345`, in messages of all packages alike. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}
