import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export const paths = {
  root: path('../..'),
  cache: path('../../.cache'),
  requirements: path('../../fixtures/python/requirements.txt'),
  importPeer: path('../python/import_peer.py'),
  exportPeer: path('../python/export_peer.py'),
  analysisPeer: path('../python/analysis_peer.py'),
  processPeer: path('../python/process_peer.py'),
  groupsFound: path('../python/groups_found.py'),
  agreementPeer: path('../../fixtures/process/agreement.py'),
  processOnce: path('./process-once.ts'),
  agreementData: path('../../fixtures/process/agreement-data.py'),
  decilesPeer: path('../r/deciles_peer.R'),
  cellTypesPeer: path('../python/cell_types_peer.py'),
  pseudobulkPeer: path('../r/pseudobulk_peer.R'),
  ligandReceptorPeer: path('../python/ligand_receptor_peer.py'),
  trajectoryPeer: path('../python/trajectory_peer.py'),
  gradientPeer: path('../python/gradient_peer.py'),
  coExpressionPeer: path('../python/co_expression_peer.py'),
  integrationPeer: path('../python/integration_peer.py'),
  integrateOnce: path('./integrate-once.ts'),
  umapPeer: path('../python/umap_peer.py'),
  importOnce: path('./import-once.ts'),
  screenPeer: path('../python/screen_peer.py'),
  screenWrite: path('./screen/write.ts'),
  screenOurs: path('./screen/measure-ours.ts'),
  cli: path('../../apps/server/src/ops/main.ts'),
  serverStart: path('../../apps/server/src/boot/main.ts'),
  migrations: path('../../supabase/migrations'),
} as const;
