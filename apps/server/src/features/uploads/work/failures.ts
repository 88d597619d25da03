import type { JobProblem } from '@cellfolio/contract';
import { H5adError, H5adWriteFailed, TextFileError } from '@cellfolio/ingest';
import { TooLongForHdf5 } from '@cellfolio/ingest/parts-of-h5ad';
import { ProcessError } from '@cellfolio/process';
import { ObjectStoreFailed, StoreWriteFailed, WrittenOtherwise } from '@cellfolio/store';

export const moreMemoryHint = 'The operator of the server can allow more (JOB_MEMORY_MB).';

/** Work that ended without a result, for a reason that can be shown to its owner. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
  /** Stable, for programs, such as `not_hdf5` or `too_large`. */
  readonly code: string;

  /** The message is shown to the owner: it refers to files by name and reveals no paths of this machine. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** For a table of text whose names do not show which side its genes are on. */
export function genesUnknown(name: string, hint = 'State it (columns.genesIn).'): WorkFailed {
  return new WorkFailed(
    'undecided_genes',
    `${plainName(name)}: the names in the table do not show whether its genes are in rows or in columns. ${hint}`,
  );
}

/** For work on a dataset that is no longer there in the version that was chosen. */
export function goneDataset(name: string, cause?: unknown): WorkFailed {
  return new WorkFailed(
    'parent_gone',
    `${plainName(name)} was deleted or replaced before its cells could be read. If it still exists, open it and choose the cells again.`,
    { cause },
  );
}

/** The problem shown to the owner of a job; internal errors are not revealed. */
export function problemOf(error: unknown): JobProblem {
  if (error instanceof WorkFailed) return { code: error.code, message: error.message };
  if (error instanceof Error && error.name === 'AbortError')
    return { code: 'cancelled', message: 'The job was canceled.' };
  return {
    code: 'internal',
    message:
      'Something went wrong on the server. Try again; if it happens again, contact the operator of the server.',
  };
}

/**
 * Rewords package errors for the owner of the file: the file is referred to by its own name, and no path of this
 * machine is revealed. Unknown errors are returned unchanged.
 */
export function failureOf(error: unknown, fileName: string): unknown {
  const file = plainName(fileName);
  if (error instanceof H5adError) return fromH5ad(error, file);
  if (error instanceof TextFileError) return fromText(error, file);
  if (error instanceof H5adWriteFailed && error.cause instanceof TooLongForHdf5)
    return failed('too-large', `${file}: ${error.cause.message}.`, error);
  if (error instanceof ProcessError) {
    const hint = error.code === 'too-large' ? ` ${moreMemoryHint}` : '';
    return failed(error.code, `${file}: ${error.message}${hint}`, error);
  }
  if (
    error instanceof StoreWriteFailed ||
    error instanceof ObjectStoreFailed ||
    error instanceof H5adWriteFailed
  ) {
    return isFull(error.cause) ? noSpace(error) : notStored(error);
  }
  if (error instanceof WrittenOtherwise) return failed('not-stored', `${file}: ${error.message}`, error);
  if (isFull(error)) return noSpace(error);
  // What JavaScript says of arrays that are larger than memory, or than any array may be.
  if (error instanceof RangeError && /array|buffer|allocat|string length/i.test(error.message)) {
    return failed(
      'too-large',
      `${file} needs more memory than is available. If it should be smaller, it is damaged: write it again.`,
      error,
    );
  }
  return error;
}

function fromH5ad(error: H5adError, file: string): WorkFailed {
  const { code, part, problem, hint } = error;
  if (code === 'no-space') return noSpace(error);
  if (code === 'not-found' || code === 'vanished') return fileNotFound(file, error);
  return failed(code, `${file}: ${part === '' ? '' : `${part}: `}${problem} ${hint}`, error);
}

const hints: ReadonlyMap<string, string> = new Map([
  ['bomb', 'Unpack it and upload the text file.'],
  ['too-long', 'Shorten it, then upload the file again.'],
]);

function fromText(error: TextFileError, file: string): WorkFailed {
  const { code, line, problem } = error;
  if (code === 'not-found') return fileNotFound(file, error);
  const where = line === undefined ? '' : `, line ${line}`;
  const hint = hints.get(code);
  return failed(code, `${file}${where}: ${problem}${hint === undefined ? '' : ` ${hint}`}`, error);
}

function fileNotFound(file: string, cause: unknown): WorkFailed {
  return failed('not-found', `${file} no longer exists. Upload it again.`, cause);
}

function noSpace(cause: unknown): WorkFailed {
  return failed(
    'no-space',
    'The disk of the server is full. Nothing was changed; try again later, or contact the operator of the server.',
    cause,
  );
}

function notStored(cause: unknown): WorkFailed {
  return failed(
    'not-stored',
    'The server could not store the result. Nothing was changed; try again in a few minutes, and contact the operator of the server if that does not help.',
    cause,
  );
}

function failed(code: string, message: string, cause: unknown): WorkFailed {
  return new WorkFailed(code.replaceAll('-', '_'), plainText(message), { cause });
}

function isFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Maximum length of displayed text; a file may hold names of any length. */
const maxTextLength = 2000;
const maxNameLength = 120;
/**
 * Maximum characters of the names that can be chosen for one role: reports of all files go into one response, every
 * second.
 */
const maxListedLength = 20_000;

/** Text with parts from a stranger's file: without control characters, and of limited length. */
export function plainText(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return shortened(plain, maxTextLength);
}

/** A file or column name within a sentence; a long one is cut in the middle, so that its extension stays visible. */
export function plainName(name: string): string {
  return shortened(name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�'), maxNameLength);
}

export function namesWithin(names: readonly string[], maxLength = maxListedLength): string[] {
  let left = maxLength;
  const past = names.findIndex(({ length }) => (left -= length) < 0);
  return past < 0 ? [...names] : names.slice(0, past);
}

function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const ending = Math.floor(maxLength / 4);
  return `${text.slice(0, maxLength - ending - 1).toWellFormed()}…${text.slice(-ending).toWellFormed()}`;
}
