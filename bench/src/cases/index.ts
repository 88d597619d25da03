import type { BenchCase } from '../bench-context.ts';
import { cellTypesCase } from './cell-types-case.ts';
import { coExpressionCase } from './co-expression-case.ts';
import { columnsCase } from './columns-case.ts';
import { comparisonCase } from './comparison-case.ts';
import { decilesCase } from './deciles-case.ts';
import { enrichmentCase } from './enrichment-case.ts';
import { explorerCase } from './explorer-case.ts';
import { exportCase } from './export-case.ts';
import { geneCase } from './gene-case.ts';
import { geneFinderCase } from './gene-finder-case.ts';
import { gradientCase } from './gradient-case.ts';
import { groupsCase } from './groups-case.ts';
import { importCases } from './import-case.ts';
import { integrationCase } from './integration-case.ts';
import { ligandReceptorCase } from './ligand-receptor-case.ts';
import { liveMapCase } from './live-map-case.ts';
import { loadBesideBuildCase } from './load-beside-build-case.ts';
import { loadCase } from './load-case.ts';
import { markersCase } from './markers-case.ts';
import { processAgreementCase, processCase } from './process-cases.ts';
import { processSizesCase } from './process-sizes-case.ts';
import { pseudobulkCase } from './pseudobulk-case.ts';
import { rankedEnrichmentCase } from './ranked-enrichment-case.ts';
import { serverMemoryCase } from './server-memory-case.ts';
import { signatureCase } from './signature-case.ts';
import { startCase } from './start-case.ts';
import { trajectoryCase } from './trajectory-case.ts';

export const benchCases: readonly BenchCase[] = [
  ...importCases,
  exportCase,
  geneCase('gene-100k', { cells: 100_000, genes: 20_000, repeat: 20 }),
  // As many values as 100,000 cells × 20,000 genes; for one gene only the number of cells matters.
  geneCase('gene-1m', { cells: 1_000_000, genes: 2000, repeat: 10 }),
  geneFinderCase,
  markersCase,
  comparisonCase,
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
