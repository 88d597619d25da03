import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { StoreWriteFailed } from '@cellfolio/bytes';
import { isDatabaseAway, isDatabaseUnavailable, EngineError, isDiskFull } from './errors.ts';

const withCode = (code: string, severity = 'ERROR'): DatabaseError =>
  Object.assign(new DatabaseError('said', 4, 'error'), { code, severity });
const ofSystem = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall });

test.each([
  ['a server that is shutting down', withCode('57P01', 'FATAL')],
  ['a server that starts', withCode('57P03', 'FATAL')],
  ['too many connections', withCode('53300', 'FATAL')],
  ['a full disk', withCode('53100')],
  ['two transactions in each other’s way', withCode('40P01')],
  ['a connection that is refused', ofSystem('ECONNREFUSED', 'connect')],
  ['a socket file that is not there', ofSystem('ENOENT', 'connect')],
  ['a connection that broke', new Error('Connection terminated unexpectedly')],
  [
    'a connection that broke before',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['no free connection', new Error('timeout exceeded when trying to connect')],
  ['an engine that could not be opened', new EngineError('no')],
])('%s passes', (_case, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ['a refused row', withCode('42501')],
  ['a row that is there already', withCode('23505')],
  ['a statement that took too long', withCode('57014')],
  ['a file that is not there', ofSystem('ENOENT', 'open')],
  ['a mistake of ours', new TypeError('undefined is not a function')],
  ['something that is no error', 'Connection terminated'],
])('%s does not', (_case, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});

test.each([
  ['a server that is shutting down', withCode('57P01', 'FATAL'), true],
  ['a connection that is refused', ofSystem('ECONNREFUSED', 'connect'), true],
  ['a connection that broke', new Error('Connection terminated unexpectedly'), true],
  ['an engine that could not be opened', new EngineError('no'), true],
  ['two transactions in each other’s way', withCode('40P01'), false],
  ['too many connections', withCode('53300', 'FATAL'), false],
  ['a full disk', withCode('53100'), false],
  ['no free connection of the pool', new Error('timeout exceeded when trying to connect'), false],
  ['a refused row', withCode('42501'), false],
])('after %s the database is away: %s', (_case, error, away) => {
  expect(isDatabaseAway(error)).toBe(away);
});

const ofDatabase = (code: string): Error => Object.assign(new DatabaseError('no', 1, 'error'), { code });
const fileError = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['an error of the database', ofDatabase('53100'), true],
  ['an engine that stopped for it', new EngineError('stopped', { isFull: true }), true],
  ['a file that could not be written', fileError('ENOSPC'), true],
  ['a quota', fileError('EDQUOT'), true],
  ['a blob of which that is the cause', new StoreWriteFailed('a', { cause: fileError('ENOSPC') }), true],
  ['too many connections', ofDatabase('53300'), false],
  ['a disk in trouble', ofDatabase('58030'), false],
  ['an engine that stopped for something else', new EngineError('stopped'), false],
  ['a blob that failed for something else', new StoreWriteFailed('a', { cause: fileError('EIO') }), false],
  ['nothing', undefined, false],
])('%s: a full disk is detected', (_case, error, full) => {
  expect(isDiskFull(error)).toBe(full);
});
