export function freeName(name: string, taken: ReadonlySet<string>, longest: number): string {
  const wanted = name.trim();
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = wanted.slice(0, longest - suffix.length) + suffix;
    if (!taken.has(free)) return free;
  }
}
