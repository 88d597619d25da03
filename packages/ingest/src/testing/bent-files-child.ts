import { isHdf5Alive, tryBentFile, type BentOutcome } from './try-bent-file.ts';

/** What the child says: the file that it begins with, and how it ended. */
export type BentMessage =
  | { readonly begins: number }
  | { readonly number: number; readonly outcome: BentOutcome; readonly milliseconds: number };

// Tries the files of the numbers FROM to TO, TO not among them, and tells its parent:
//     node bent-files-child.ts FROM TO
// It may end before TO, and is to be started again from there.
const [from, to] = process.argv.slice(2).map(Number) as [number, number];
for (let number = from; number < to; number++) {
  tell({ begins: number });
  const started = performance.now();
  const outcome = await tryBentFile(number);
  tell({ number, outcome, milliseconds: performance.now() - started });
  // The next file is not to be refused for the sake of this one: the parent goes on with a new process.
  if (outcome.why === 'unreadable' && !(await isHdf5Alive())) break;
}
process.disconnect?.();

function tell(message: BentMessage): void {
  process.send?.(message);
}
