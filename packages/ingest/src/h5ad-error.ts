import { cutText } from '@cellfolio/model';

type H5adErrorCode =
  | 'not-found'
  | 'not-hdf5'
  | 'not-anndata'
  | 'truncated'
  | 'no-x'
  | 'no-genes'
  | 'no-counts'
  | 'impossible-scale'
  | 'damaged-counts'
  | 'transposed'
  | 'undecided-scale'
  | 'no-obs-names'
  | 'no-var-names'
  | 'index-out-of-range'
  | 'repeated-category'
  | 'shape-mismatch'
  | 'empty'
  | 'too-large'
  | 'long-name'
  | 'vanished'
  | 'unsupported-chunks'
  | 'unsupported-filter'
  | 'unsupported-type'
  | 'unsupported-link'
  | 'missing-values'
  | 'unreadable'
  | 'unknown-column'
  | 'unusable-column'
  | 'no-space';

const maxPartLength = 200;
const maxSentenceLength = 1500;

/**
 * A file that cannot be imported. The message names the part at fault and says what to do; `part` is the path in the
 * file, such as `X/indices` or `obs`, or an empty string for the file as a whole.
 */
export class H5adError extends Error {
  readonly code: H5adErrorCode;
  readonly path: string;
  readonly part: string;
  readonly problem: string;
  readonly hint: string;

  constructor(options: {
    code: H5adErrorCode;
    path: string;
    part: string;
    problem: string;
    hint: string;
    cause?: unknown;
  }) {
    const { code, path, cause } = options;
    // Names of the file are in all of them.
    const part = cutText(options.part, maxPartLength);
    const problem = cutText(options.problem, maxSentenceLength);
    const hint = cutText(options.hint, maxSentenceLength);
    super(
      `${path}${part === '' ? '' : `: ${part}`}: ${problem} ${hint}`,
      cause === undefined ? {} : { cause },
    );
    this.name = 'H5adError';
    this.code = code;
    this.path = path;
    this.part = part;
    this.problem = problem;
    this.hint = hint;
  }
}

export function unreadableValues(path: string, part: string, cause: unknown): H5adError {
  return new H5adError({
    code: 'unreadable',
    path,
    part,
    problem: 'its values could not be read.',
    hint: 'The file is probably damaged or cut short: copy it again, or write it again with anndata.',
    cause,
  });
}
