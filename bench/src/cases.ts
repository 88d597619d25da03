import type { BenchCase } from './bench-context.ts';
import { gradientCase, trajectoryCase } from './cases/axes.ts';
import { cellTypesCase } from './cases/cell-types.ts';
import { coExpressionCase } from './cases/co-expression.ts';
import { columnsCase } from './cases/columns.ts';
import { energyCase } from './cases/energy.ts';
import { explorerCase } from './cases/explorer.ts';
import { geneCase, geneFinderCase } from './cases/gene.ts';
import { importCases } from './cases/import.ts';
import { importUnsCase } from './cases/import-uns.ts';
import { integrationCase } from './cases/integration.ts';
import { ligandReceptorCase } from './cases/ligand-receptor.ts';
import { liveMapCase } from './cases/live-map.ts';
import { loadBesideBuildCase, loadCase } from './cases/load.ts';
import { comparisonCase, groupsCase, markersCase } from './cases/markers.ts';
import { processAgreementCase, processCase, processSizesCase } from './cases/process.ts';
import { exportCase, serverMemoryCase, startCase } from './cases/server.ts';
import { enrichmentCase, rankedEnrichmentCase, signatureCase } from './cases/signatures.ts';
import { screenCase } from './cases/screen.ts';
import { decilesCase, pseudobulkCase } from './cases/sums.ts';

export const benchCases: readonly BenchCase[] = [
  ...importCases,
  importUnsCase,
  exportCase,
  geneCase('gene-100k', { cells: 100_000, genes: 20_000, repeat: 20 }),
  // The number of values of 100,000 cells × 20,000 genes; for one gene only the number of cells matters.
  geneCase('gene-1m', { cells: 1_000_000, genes: 2000, repeat: 10 }),
  geneFinderCase,
  markersCase,
  comparisonCase,
  screenCase,
  energyCase,
  signatureCase,
  enrichmentCase,
  rankedEnrichmentCase,
  pseudobulkCase,
  ligandReceptorCase,
  trajectoryCase,
  gradientCase,
  coExpressionCase,
  decilesCase,
  cellTypesCase,
  groupsCase,
  explorerCase('explorer', { cells: 100_000, genes: 20_000, repeat: 15, geneLimit: 200, images: 200 }),
  explorerCase('explorer-1m', { cells: 1_000_000, genes: 500, repeat: 7, geneLimit: 500, images: 0 }),
  columnsCase('columns-100k', { cells: 100_000, repeat: 10 }),
  columnsCase('columns-1m', { cells: 1_000_000, repeat: 10 }),
  liveMapCase('live-map-100k', { cells: 100_000, repeat: 10 }),
  liveMapCase('live-map-1m', { cells: 1_000_000, repeat: 10 }),
  processCase,
  processSizesCase,
  processAgreementCase,
  integrationCase,
  serverMemoryCase,
  startCase,
  loadCase,
  loadBesideBuildCase,
];
