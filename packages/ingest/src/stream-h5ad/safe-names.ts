/**
 * Names as a file of HDF5 can have them: a slash would begin a group, and `.` means the group itself. They become `_`, with
 * a number behind where that name is there already.
 */
export function safelyNamed<T>(
  named: readonly (readonly [name: string, value: T])[],
  reserved: readonly string[] = [],
): (readonly [name: string, value: T])[] {
  const taken = new Set(reserved);
  // Those that can stay as they are do.
  for (const [name] of named) if (isSafe(name)) taken.add(name);
  return named.map(([name, value]) => {
    if (isSafe(name) && !reserved.includes(name)) return [name, value];
    const plain = isSafe(name) ? name : name.replaceAll(/[/\0]/g, '_').replace(/^\.?$/, '_');
    let own = plain;
    for (let n = 2; taken.has(own); n++) own = `${plain}_${n}`;
    taken.add(own);
    return [own, value];
  });
}

function isSafe(name: string): boolean {
  return name !== '' && name !== '.' && !/[/\0]/.test(name);
}
