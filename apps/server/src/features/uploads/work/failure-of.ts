import { H5adError, H5adWriteFailed, TextFileError } from '@cellfolio/ingest';
import { ProcessError } from '@cellfolio/process';
import { ObjectStoreFailed, StoreWriteFailed } from '@cellfolio/store';
import { plainName, plainText } from './plain-text.ts';
import { WorkFailed } from './work-failed.ts';

/**
 * What the packages throw, in words for the owner of the file: it is called by its own name, and no place on this
 * machine is told. What is not known here stays as it is.
 */
export function failureOf(error: unknown, fileName: string): unknown {
  const file = plainName(fileName);
  if (error instanceof H5adError) return fromH5ad(error, file);
  if (error instanceof TextFileError) return fromText(error, file);
  if (error instanceof ProcessError) return failed(error.code, `${file}: ${error.message}`, error);
  if (
    error instanceof StoreWriteFailed ||
    error instanceof ObjectStoreFailed ||
    error instanceof H5adWriteFailed
  ) {
    return isFull(error.cause) ? noSpace(error) : notStored(error);
  }
  if (isFull(error)) return noSpace(error);
  // What JavaScript says of arrays that are larger than memory, or than any array may be.
  if (error instanceof RangeError && /array|buffer|allocat|string length/i.test(error.message)) {
    return failed(
      'too-large',
      `${file} takes more memory than there is. If it should not be that large, it is damaged: write it again.`,
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
  return failed('not-found', `${file} is not there any more. Upload it again.`, cause);
}

function noSpace(cause: unknown): WorkFailed {
  return failed(
    'no-space',
    'The server has no room left on its disk. Nothing was changed; try again later, or tell whoever runs it.',
    cause,
  );
}

function notStored(cause: unknown): WorkFailed {
  return failed(
    'not-stored',
    'The server could not store the result. Nothing was changed; try again in a few minutes, and tell whoever runs it if that does not help.',
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
