import { InvalidGmt } from '@cellfolio/analysis';
import { H5adError } from '@cellfolio/ingest';
import {
  DatasetDamaged,
  DatasetExists,
  DatasetNotFound,
  InvalidDatasetId,
  StoreWriteFailed,
} from '@cellfolio/store';
import { InvalidLibraryName, LibraryDamaged, LibraryExists } from '../gene-sets/errors.ts';
import { BackupDamaged, PlaceNotEmpty } from './backup/backup-errors.ts';
import { InvalidSettings } from '../start/invalid-settings.ts';
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

const codes: readonly (readonly [new (...args: never[]) => Error, number])[] = [
  [H5adError, exitCode.badInput],
  [InvalidSettings, exitCode.usage],
  [InvalidGmt, exitCode.badInput],
  [InvalidLibraryName, exitCode.usage],
  [LibraryDamaged, exitCode.damaged],
  [LibraryExists, exitCode.exists],
  [InvalidDatasetId, exitCode.usage],
  [DatasetExists, exitCode.exists],
  [DatasetNotFound, exitCode.notFound],
  [DatasetDamaged, exitCode.damaged],
  [BackupDamaged, exitCode.damaged],
  [PlaceNotEmpty, exitCode.exists],
  [StoreWriteFailed, exitCode.notWritable],
];

/** The exit code for an error, by its class. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof Error && error.name === 'AbortError') return exitCode.interrupted;
  return codes.find(([type]) => error instanceof type)?.[1] ?? exitCode.failure;
}
