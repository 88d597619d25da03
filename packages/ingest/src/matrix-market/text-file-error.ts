/** What was wrong with a text file; stable, for programs. */
export type TextFileErrorCode =
  | 'not-found'
  | 'empty'
  | 'binary'
  | 'not-matrix-market'
  | 'unsupported'
  | 'malformed'
  | 'out-of-range'
  | 'truncated'
  | 'not-counts'
  | 'repeated'
  | 'mismatch'
  | 'bomb'
  | 'too-long'
  | 'unreadable';

/** A .mtx or .tsv file that cannot be used. The message names the file and, where it can, the line. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';
  readonly code: TextFileErrorCode;
  readonly path: string;
  /** From 1. */
  readonly line: number | undefined;
  /** What is wrong and what to do, without the file's name. */
  readonly problem: string;

  constructor(options: {
    code: TextFileErrorCode;
    path: string;
    problem: string;
    line?: number;
    cause?: unknown;
  }) {
    const { code, path, line, problem, cause } = options;
    super(
      `${path}${line === undefined ? '' : `, line ${line}`}: ${problem}`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.path = path;
    this.line = line;
    this.problem = problem;
  }
}
