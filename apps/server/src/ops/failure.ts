import { exitCode } from './exit-code.ts';

/** A command that cannot go on, with the exit code that says why. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: number;

  constructor(code: number, message: string) {
    super(message);
    this.exitCode = code;
  }
}

/** By the tag of an error: its class would have to be loaded, with all that comes along, to tell that it was not thrown. */
const codes: ReadonlyMap<string, number> = new Map([
  ['H5adError', exitCode.badInput],
  ['TextFileError', exitCode.badInput],
  ['WorkFailed', exitCode.badInput],
  ['InvalidSettings', exitCode.usage],
  ['InvalidGmt', exitCode.badInput],
  ['InvalidLibraryName', exitCode.usage],
  ['LibraryDamaged', exitCode.damaged],
  ['LibraryExists', exitCode.exists],
  ['InvalidOrthologues', exitCode.badInput],
  ['OrthologuesExist', exitCode.exists],
  ['InvalidDatasetId', exitCode.usage],
  ['DatasetExists', exitCode.exists],
  ['DatasetNotFound', exitCode.notFound],
  ['DatasetDamaged', exitCode.damaged],
  ['BackupDamaged', exitCode.damaged],
  ['PlaceNotEmpty', exitCode.exists],
  ['StoreWriteFailed', exitCode.notWritable],
]);

/** The exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode;
  if (!(error instanceof Error)) return exitCode.failure;
  return error.name === 'AbortError' ? exitCode.interrupted : (codes.get(error.name) ?? exitCode.failure);
}
