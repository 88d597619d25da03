import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const paths = {
  root: path('../..'),
  cache: path('../../.cache'),
  requirements: path('../../fixtures/python/requirements.txt'),
  importPeer: path('../python/import_peer.py'),
  analysisPeer: path('../python/analysis_peer.py'),
  processPeer: path('../python/process_peer.py'),
  agreementPeer: path('../../fixtures/process/agreement.py'),
  processOnce: path('./process/process-once.ts'),
  processSimulated: path('./process/process-simulated.ts'),
  agreementData: path('../../fixtures/process/agreement-data.py'),
  umapPeer: path('../python/umap_peer.py'),
  importOnce: path('./import/import-once.ts'),
  cli: path('../../apps/server/src/ops/main.ts'),
  serverStart: path('../../apps/server/src/boot/main.ts'),
  migrations: path('../../supabase/migrations'),
  s3Server: path('../../packages/bytes/src/testing/s3-server-child.ts'),
  openOnce: path('./import/open-once.ts'),
  measuredCapacity: path('./capacity/measured.json'),
  scalePage: path('../../docs/scale.md'),
  npmStart: path('../../scripts/start.mjs'),
} as const;
