/**
 * What this process writes from now on is nobody's who merely has an account on the machine: files of users are among it.
 * The group keeps what it has, for operators.
 */
export function closeToOthers(): void {
  process.umask(process.umask() | 0o007);
}
