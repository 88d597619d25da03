import { H5adError, H5adWriteFailed, TextFileError } from '@cellfolio/ingest';
import { ProcessError } from '@cellfolio/process';
import { ObjectStoreFailed, StoreWriteFailed } from '@cellfolio/store';
import { expect, test } from 'vitest';
import { failureOf, problemOf, WorkFailed } from './failures.ts';

const path = '/srv/data/blobs/secret';
const full = Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), { code: 'ENOSPC' });
const refused = Object.assign(new Error(`EIO: '${path}'`), { code: 'EIO' });

test.each([
  [new H5adError({ code: 'no-x', path, part: 'X', problem: 'nothing.', hint: 'Look.' }), 'no_x'],
  [new H5adError({ code: 'vanished', path, part: '', problem: 'gone.', hint: '' }), 'not_found'],
  [new H5adError({ code: 'no-space', path, part: '', problem: `${path} is full.`, hint: '' }), 'no_space'],
  [new TextFileError({ code: 'binary', path, problem: 'is not text.' }), 'binary'],
  [new TextFileError({ code: 'not-found', path, problem: `${path} went.` }), 'not_found'],
  [new ProcessError('no-variable-genes', 'No genes vary.'), 'no_variable_genes'],
  [new StoreWriteFailed(path, { cause: full }), 'no_space'],
  [new StoreWriteFailed(path, { cause: refused }), 'not_stored'],
  [new ObjectStoreFailed(path, 3, { cause: refused }), 'not_stored'],
  [new H5adWriteFailed(path, 'X', full.message, { cause: full }), 'no_space'],
  [full, 'no_space'],
  [new RangeError('Array buffer allocation failed'), 'too_large'],
  [new RangeError('Invalid typed array length: 10000000000000'), 'too_large'],
])('%s is reported without a path of the server', (error, code) => {
  const failure = failureOf(error, 'mine.h5ad');
  expect(failure).toBeInstanceOf(WorkFailed);
  expect((failure as WorkFailed).cause).toBe(error);
  const problem = problemOf(failure);
  expect(problem.code).toBe(code);
  expect(problem.message).not.toContain('/srv');
  expect(problem.message).toMatch(/^(mine\.h5ad|The server|The disk of the server)[ :,].+\.$/);
});

test('an unexpected error is reported as an internal fault, without its details', () => {
  const error = new TypeError(`Cannot read ${path}`);
  expect(failureOf(error, 'mine.h5ad')).toBe(error);
  expect(problemOf(error)).toEqual({
    code: 'internal',
    message: expect.stringMatching(/^Something went wrong on the server\. Try again/) as string,
  });
  expect(problemOf(new DOMException('This operation was aborted', 'AbortError')).code).toBe('cancelled');
  expect(problemOf(undefined).code).toBe('internal');
});
