export function freeName(name: string, usedNames: ReadonlySet<string>, longest: number): string {
  const baseName = name.trim();
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` (${number})`;
    const free = baseName.slice(0, longest - suffix.length) + suffix;
    if (!usedNames.has(free)) return free;
  }
}
