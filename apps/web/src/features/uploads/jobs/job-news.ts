import type { Job } from '@cellfolio/contract';
import { useEffect, useRef, useState } from 'react';
import { isActive } from './use-own-files.ts';
import { jobStage, jobTitle } from './job-text.ts';

/** What has become of jobs since they were last looked at, for those who hear the page; empty at first. */
export function useJobNews(jobs: readonly Job[] | undefined): string {
  const before = useRef<readonly Job[] | undefined>(undefined);
  const [news, setNews] = useState('');
  useEffect(() => {
    if (jobs === undefined) return;
    const told = before.current === undefined ? '' : jobNews(before.current, jobs);
    before.current = jobs;
    if (told !== '') setNews(told);
  }, [jobs]);
  return news;
}

/** Jobs that began or ended between two looks; stages and percents are not news. */
export function jobNews(before: readonly Job[], now: readonly Job[]): string {
  const known = new Map(before.map((job) => [job.id, job]));
  return now
    .filter((job) => {
      const last = known.get(job.id);
      return last === undefined || isActive(last) !== isActive(job);
    })
    .map((job) => `${jobTitle(job)}: ${isActive(job) ? 'started' : jobStage(job).toLowerCase()}.`)
    .join(' ');
}
