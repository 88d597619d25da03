/**
 * For `now() + make_interval(secs => …)`: a moment so many milliseconds from now by the clock of the database, which all
 * processes share, so that one whose machine's clock jumps neither gives up what others do nor keeps it for ever. A clock
 * that was handed in counts by how far it is from the machine's.
 */
export function deadline(now: () => number, milliseconds = 0): number {
  return (now() - Date.now() + milliseconds) / 1000;
}
