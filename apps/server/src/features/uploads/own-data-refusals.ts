/** Refusals of the calls on own files, as the description of the calls tells them. */
export const ownDataRefusals = {
  plan: 'It needs the Professional plan (`professional_plan_required`).',
  file: 'There is no such file among yours (`file_not_found`).',
  job: 'There is no such job among yours (`job_not_found`).',
  tooMany: 'Too many of your jobs are waiting (`too_many_jobs`).',
} as const;
