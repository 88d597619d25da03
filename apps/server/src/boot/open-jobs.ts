import { join } from 'node:path';
import type { Settings } from './settings/read-settings.ts';
import { Jobs, type JobsOptions } from '../features/uploads/index.ts';

type Surroundings = Pick<
  JobsOptions,
  'database' | 'blobs' | 'objects' | 'log' | 'onDatasetChanged' | 'onRunEnded'
>;

/** The jobs of this process: an `api` process only writes down and tells what others do. */
export function openJobs(settings: Settings, surroundings: Surroundings): Jobs {
  return new Jobs({
    ...surroundings,
    objectRoot: settings.objects,
    scratchRoot: join(settings.dataDir, 'scratch', 'jobs'),
    heavyJobs: settings.role === 'api' ? 0 : settings.jobWorkers,
    memoryBytes: settings.jobMemoryBytes,
    leaseSeconds: settings.jobHeartbeatSeconds,
  });
}
