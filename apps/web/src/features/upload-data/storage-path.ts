import { extensionOf } from '@/features/user-files/file-kind.ts';

// The service takes more, but these are the same in every address, encoded or not.
const otherCharacters = /[^\w\-.]/g;
const maxNameLength = 100;

/**
 * Where a file is stored: `<user id>/<timestamp>_<name>.<extension>`. Of the given name, what is no letter, digit,
 * `-` or `.` of ASCII becomes `_`; the name that people see is kept in the row of the file.
 * @param timestamp milliseconds since the epoch, not given to another file of the user
 */
export function storagePath(userId: string, timestamp: number, name: string, originalName: string): string {
  const kept = name.trim().replaceAll(otherCharacters, '_').slice(0, maxNameLength);
  return `${userId}/${timestamp}_${kept}${extensionOf(originalName)}`;
}

/** 'counts.mtx' → 'counts': what the name of a file is filled with before anybody names it. */
export function nameWithoutExtension(originalName: string): string {
  const extension = extensionOf(originalName);
  return originalName.slice(0, originalName.length - extension.length);
}
