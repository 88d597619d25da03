import type { JobProblem } from '@cellfolio/contract';
import { H5adError, H5adWriteFailed, TextFileError } from '@cellfolio/ingest';
import { ProcessError } from '@cellfolio/process';
import { ObjectStoreFailed, StoreWriteFailed, WrittenOtherwise } from '@cellfolio/store';

/** What a user can do about a limit that the operator of the server set. */
export const moreMemoryHint = 'The operator of the server can allow more (JOB_MEMORY_MB).';

/** Work that ended without a result, for a reason that its owner can be told. */
export class WorkFailed extends Error {
  override readonly name = 'WorkFailed';
  /** Stable, for programs, such as `not_hdf5` or `too_large`. */
  readonly code: string;

  /** The message is shown to the owner: it names files by their names and no places on this machine. */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What the owner of a job is told of an error; what was not meant for them is not told. */
export function problemOf(error: unknown): JobProblem {
  if (error instanceof WorkFailed) return { code: error.code, message: error.message };
  if (error instanceof Error && error.name === 'AbortError')
    return { code: 'cancelled', message: 'The job was cancelled.' };
  return {
    code: 'internal',
    message:
      'Something went wrong on the server. Try again; if it happens again, contact the operator of the server.',
  };
}

/**
 * What the packages throw, in words for the owner of the file: it is called by its own name, and no place on this
 * machine is told. What is not known here stays as it is.
 */
export function failureOf(error: unknown, fileName: string): unknown {
  const file = plainName(fileName);
  if (error instanceof H5adError) return fromH5ad(error, file);
  if (error instanceof TextFileError) return fromText(error, file);
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
      `${file} needs more memory than is available. If it should not be that large, it is damaged: write it again.`,
      error,
    );
  }
  return error;
}

function fromH5ad(error: H5adError, file: string): WorkFailed {
  const { code, part, problem, hint } = error;
  if (code === 'no-space') return noSpace(error);
  if (code === 'not-found' || code === 'vanished') return gone(file, error);
  return failed(code, `${file}: ${part === '' ? '' : `${part}: `}${problem} ${hint}`, error);
}

/** What to do, where what is wrong does not say it. */
const hints: ReadonlyMap<string, string> = new Map([
  ['bomb', 'Unpack it on your side and upload the text itself.'],
  ['too-long', 'Shorten it, then upload the file again.'],
]);

function fromText(error: TextFileError, file: string): WorkFailed {
  const { code, line, problem } = error;
  if (code === 'not-found') return gone(file, error);
  const where = line === undefined ? '' : `, line ${line}`;
  const hint = hints.get(code);
  return failed(code, `${file}${where}: ${problem}${hint === undefined ? '' : ` ${hint}`}`, error);
}

function gone(file: string, cause: unknown): WorkFailed {
  return failed('not-found', `${file} no longer exists. Upload it again.`, cause);
}

function noSpace(cause: unknown): WorkFailed {
  return failed(
    'no-space',
    'The server has no room left on its disk. Nothing was changed; try again later, or contact the operator of the server.',
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

/** Whether it was the disk of this machine that had no room. */
function isFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Longest text that is worth showing; a file may hold names of any length. */
const maxTextLength = 2000;
const maxNameLength = 120;
/** Of the names that can be chosen for one part: reports of all files go into one answer, every second. */
const maxListedLength = 20_000;

/** Text with parts from a stranger's file: without characters that steer what shows it, and of bearable length. */
export function plainText(text: string): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�');
  return shortened(plain, maxTextLength);
}

/** A file's or column's name inside a sentence; the middle of a long one is left out, so that its ending shows. */
export function plainName(name: string): string {
  return shortened(name.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�'), maxNameLength);
}

/** The first names, as many as have so many characters together. */
export function namesWithin(names: readonly string[], most = maxListedLength): string[] {
  let left = most;
  const past = names.findIndex(({ length }) => (left -= length) < 0);
  return past < 0 ? [...names] : names.slice(0, past);
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const ending = Math.floor(most / 4);
  return `${text.slice(0, most - ending - 1).toWellFormed()}…${text.slice(-ending).toWellFormed()}`;
}
