import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { StoreWriteFailed } from '@cellfolio/bytes';
import { isDiskFull } from './disk-full.ts';
import { EngineError } from './errors.ts';

const ofDatabase = (code: string): Error => Object.assign(new DatabaseError('no', 1, 'error'), { code });
const ofSystem = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['an error of the database', ofDatabase('53100'), true],
  ['an engine that stopped for it', new EngineError('stopped', { isFull: true }), true],
  ['a file that could not be written', ofSystem('ENOSPC'), true],
  ['a quota', ofSystem('EDQUOT'), true],
  ['a blob of which that is the cause', new StoreWriteFailed('a', { cause: ofSystem('ENOSPC') }), true],
  ['too many connections', ofDatabase('53300'), false],
  ['a disk in trouble', ofDatabase('58030'), false],
  ['an engine that stopped for something else', new EngineError('stopped'), false],
  ['a blob that failed for something else', new StoreWriteFailed('a', { cause: ofSystem('EIO') }), false],
  ['nothing', undefined, false],
])('%s: whether the disk is full is told', (_case, error, full) => {
  expect(isDiskFull(error)).toBe(full);
});
