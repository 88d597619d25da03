interface JoinedCellType {
  /** The spelling in most datasets. */
  name: string;
  /** Most common first; a single one when all datasets agree. */
  spellings: readonly { name: string; datasets: number }[];
}

/**
 * Normalises a name by removing what is only spelling: letter case, spaces and underscores, a hyphen or nothing before
 * `cell`, and the plural. Signs, numbers and all other words stay: `CD4 T`, `CD4+ T` and `CD8 T` differ, as do `T cell`
 * and `T`.
 */
export function cellTypeKey(name: string): string {
  return (
    name
      .normalize('NFKC')
      .replace(/[\s_]+/gu, ' ')
      .trim()
      // Plurals of what is written in capitals: DCs, ILC2s.
      .replace(/(?<=\p{Lu}{2}\d*)s(?!\p{L})/gu, '')
      .toLowerCase()
      // T-cell and Tcell. Behind anything but letters a hyphen may be the sign of a negative marker, as in CD8-.
      .replace(/(?<![^ ])(\p{L}+)-(?=cells?(?!\p{L}))/gu, '$1 ')
      .replace(/(?<![^ ])(t|b|nk)(?=cells?(?!\p{L}))/gu, '$1 ')
      // Not the endings of words that have an s of their own: thymus, pancreas, basalis, class.
      .replace(/(?<=\p{L}{3}[^aiusß\P{L}])s(?!\p{L})/gu, '')
  );
}

/**
 * Joins names that differ only in spelling. Two such names within one dataset are distinct types there, and so they
 * stay separate in all datasets.
 */
export function joinCellTypes(datasets: readonly (readonly string[])[]) {
  const keys = new Map<string, string>();
  const apart = new Set<string>();
  for (const names of datasets) {
    const own = new Map<string, string>();
    for (const name of names) {
      const key = keys.get(name) ?? cellTypeKey(name);
      keys.set(name, key);
      if (own.has(key) && own.get(key) !== name) apart.add(key);
      own.set(key, name);
    }
  }
  const spellings = new Map<string, Map<string, number>>();
  // A name as it is begins with a letter that no key has.
  const joinedKey = (name: string): string => {
    const key = keys.get(name)!;
    return apart.has(key) ? `\n${name}` : key;
  };
  for (const names of datasets) {
    for (const name of new Set(names)) {
      const key = joinedKey(name);
      const counts = spellings.get(key) ?? new Map<string, number>();
      counts.set(name, (counts.get(name) ?? 0) + 1);
      spellings.set(key, counts);
    }
  }
  const joinedTypes = [...spellings].map(([key, counts]) => {
    const written = [...counts]
      .map(([name, datasets]) => ({ name, datasets }))
      .sort((a, b) => b.datasets - a.datasets || byName(a, b));
    const type: JoinedCellType = { name: written[0]!.name, spellings: written };
    return { key, type, datasets: written.reduce((sum, one) => sum + one.datasets, 0) };
  });
  joinedTypes.sort((a, b) => b.datasets - a.datasets || byName(a.type, b.type));
  const places = new Map(joinedTypes.map(({ key }, place) => [key, place]));
  return {
    types: joinedTypes.map(({ type }) => type),
    placeOf: (name: string) => places.get(joinedKey(name))!,
  };
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
