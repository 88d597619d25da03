export interface NamedNote {
  readonly name: string;
  readonly text: string;
}

/** The lines above a table by what they tell, such as `Data` or `Test`; others are cautions, numbered where several. */
export function namedNotes(notes: readonly string[]): NamedNote[] {
  const taken = new Map<string, number>();
  return notes.map((note) => {
    const [, head, rest] = /^([A-Z][A-Za-z ]{0,24}): (.+)$/s.exec(note) ?? [];
    const name = head ?? 'Note';
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return { name: before === 0 ? name : `${name} ${before + 1}`, text: rest ?? note };
  });
}
