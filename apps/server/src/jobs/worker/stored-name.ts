const longestName = 100;

/** Name of a made file below its owner's folder, as uploads are named: in letters that are the same in every address. */
export function storedName(name: string, now: number): string {
  const kept = name
    .trim()
    .replaceAll(/[^\w\-.]/g, '_')
    .slice(0, longestName);
  return `${now}_${kept}.h5ad`;
}
