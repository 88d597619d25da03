import { expect, test } from 'vitest';
import { ApiRefusal, ApiUnreachable } from '@/lib/api-errors.ts';
import { failureWords } from './job-calls.ts';
import { isFollowed, jobNews } from './jobs-card.tsx';
import { jobDuration, jobPercent, jobStage, jobTitle } from './job-text.ts';
import { endedJob, testFile, testId, testJob, testOwnFiles } from '@/testing/own-jobs.ts';
import { canStartAgain } from './start-again.ts';
import { pollInterval } from './own-files.ts';

const later = Date.parse('2026-02-01T00:00:00Z');
const own = testOwnFiles({ files: [testFile(testId(1), { problem: { code: 'x', message: 'x' } })] });

test('files are requested each second while a job runs, and then no more', () => {
  const poll = (jobs = own.jobs, files = own.files) => pollInterval({ ...own, jobs, files }, null, later);
  expect(poll()).toBe(false);
  expect(poll([endedJob('done')])).toBe(false);
  expect(poll([endedJob('done'), testJob()])).toBe(1000);
  expect(poll([testJob({ state: 'queued' })])).toBe(1000);
  // Uploaded, and its inspection is not begun yet.
  expect(poll([], [testFile(testId(2))])).toBe(1000);
  // An inspection that has just ended may be followed by a build.
  expect(poll([endedJob('done', { finished_at: new Date(later - 2000).toISOString() })])).toBe(1000);
  expect(pollInterval(undefined, null, later)).toBe(false);
});

test('an unreachable server is polled less often, and one that refuses is not polled again', () => {
  expect(pollInterval(own, new ApiUnreachable(new TypeError('Failed to fetch')), later)).toBe(5000);
  expect(pollInterval(undefined, new ApiRefusal(503, '', ''), later)).toBe(5000);
  expect(pollInterval(own, new ApiRefusal(403, 'plan', 'Not in your plan.'), later)).toBe(false);
});

test('only what begins and what ends is news', () => {
  const running = testJob();
  expect(jobNews([], [running])).toBe('Dataset of atlas.h5ad: started.');
  expect(jobNews([running], [{ ...running, progress: 0.9, stage: 'Embedding' }])).toBe('');
  expect(jobNews([{ ...running, state: 'queued' }], [running])).toBe('');
  expect(jobNews([running], [endedJob('failed')])).toBe('Dataset of atlas.h5ad: failed.');
  expect(jobNews([endedJob('done')], [endedJob('done')])).toBe('');
});

test('a job is described in words, and is at 100 % only when it is done', () => {
  expect(jobTitle(testJob({ kind: 'inspect' }))).toBe('Inspection of atlas.h5ad');
  expect(jobTitle(testJob({ kind: 'convert' }))).toBe('Conversion to atlas.h5ad');
  expect(jobStage(testJob({ attempts: 2 }))).toBe('Finding neighbors (restarted after an interruption)');
  expect(jobStage(testJob({ state: 'queued' }))).toBe('Queued');
  expect(jobPercent(testJob({ progress: 0.999 }))).toBe(99);
  expect(jobPercent(testJob({ progress: 1 }))).toBe(99);
  expect(jobPercent(endedJob('done'))).toBe(100);
  expect(jobDuration(endedJob('done'))).toBe('8 s');
  expect(jobDuration(endedJob('done', { finished_at: '2026-01-31T12:02:05Z' }))).toBe('2 min 5 s');
  expect(jobDuration(endedJob('done', { finished_at: '2026-01-31T13:03:59Z' }))).toBe('1 h 3 min');
  expect(jobDuration(testJob())).toBeNull();
});

test('only the latest of failed jobs can be begun again, while its files are there', () => {
  const failed = endedJob('failed', { problem: { code: 'took_too_long', message: 'It took too long.' } });
  expect(canStartAgain(failed, { ...own, jobs: [failed] })).toBe(true);
  const broken = endedJob('failed', { problem: { code: 'unreadable', message: 'X is damaged.' } });
  expect(canStartAgain(broken, { ...own, jobs: [broken] })).toBe(false);
  expect(canStartAgain(endedJob('cancelled'), { ...own, jobs: [failed] })).toBe(true);
  expect(canStartAgain(endedJob('done'), { ...own, jobs: [] })).toBe(false);
  expect(canStartAgain(endedJob('failed', { kind: 'inspect' }), { ...own, jobs: [] })).toBe(false);
  expect(canStartAgain(failed, { files: [], jobs: [failed] })).toBe(false);
  const at = (created_at: string) => [failed, testJob({ id: testId(901), created_at })];
  expect(canStartAgain(failed, { ...own, jobs: at('2026-01-31T12:59:00+01:00') })).toBe(true);
  expect(canStartAgain(failed, { ...own, jobs: at('2026-01-31T13:01:00+01:00') })).toBe(false);
});

test('a refusal is shown in the words of the server, a page of a proxy in ours', () => {
  expect(failureWords(new ApiRefusal(409, 'already_converting', 'One is converted already.'))).toBe(
    'One is converted already.',
  );
  expect(failureWords(new ApiRefusal(502, '', '<html>Bad gateway'))).toBe(
    'The server could not do this (502). Try again in a minute.',
  );
});

test('of the inspections of a file only the latest is listed', () => {
  const at = (created_at: string, file = 1) =>
    endedJob('done', { kind: 'inspect', file_ids: [testId(file)], created_at });
  const jobs = [at('2026-01-31T12:00:02Z'), at('2026-01-31T12:00:01Z'), at('2026-01-31T12:00:00Z', 2)];
  const build = endedJob('done', { file_ids: [testId(1)], created_at: '2026-01-31T11:00:00Z' });
  expect([...jobs, build].map((job) => isFollowed(job, jobs))).toEqual([false, true, false, false]);
});
