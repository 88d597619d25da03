import { InvalidLibraryName } from './errors.ts';

/** Throws InvalidLibraryName for a name that could leave its folder or that no store can hold. */
export function checkLibraryName(name: string): void {
  // The leading dot keeps "." and "..", and names that folders hide, out of the keys.
  if (!/^(?!\.)[A-Za-z0-9_.-]{1,80}$/.test(name)) throw new InvalidLibraryName(name);
}
