import { tryBentFile, type BentOutcome } from './try-bent-file.ts';

/** What the child says: the file that it begins with, and how it ended. */
export type BentMessage =
  | { readonly begins: number }
  | { readonly number: number; readonly outcome: BentOutcome; readonly milliseconds: number };

// Tries the files of the numbers FROM to TO, TO not among them, and tells its parent:
//     node bent-files-child.ts FROM TO
const [from, to] = process.argv.slice(2).map(Number) as [number, number];
for (let number = from; number < to; number++) {
  tell({ begins: number });
  const started = performance.now();
  const outcome = await tryBentFile(number);
  tell({ number, outcome, milliseconds: performance.now() - started });
}
process.disconnect?.();

function tell(message: BentMessage): void {
  process.send?.(message);
}
