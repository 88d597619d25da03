import { rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { type BenchCase, openContext } from './bench-context.ts';
import { cellTypesCase } from './cases/cell-types-case.ts';
import { coExpressionCase } from './cases/co-expression-case.ts';
import { columnsCase } from './cases/columns-case.ts';
import { comparisonCase } from './cases/comparison-case.ts';
import { compositionReadCase } from './cases/composition-read-case.ts';
import { decilesCase } from './cases/deciles-case.ts';
import { enrichmentCase } from './cases/enrichment-case.ts';
import { explorerCase } from './cases/explorer-case.ts';
import { exportCase } from './cases/export-case.ts';
import { depthCase } from './cases/depth-case.ts';
import { designTrapsCase } from './cases/design-traps-case.ts';
import { discoveryRatesCase, falseDiscoveriesCase } from './cases/false-discoveries-case.ts';
import { geneCase } from './cases/gene-case.ts';
import { geneFinderCase } from './cases/gene-finder-case.ts';
import { gradientCase } from './cases/gradient-case.ts';
import { groupsCase } from './cases/groups-case.ts';
import { importCases } from './cases/import-case.ts';
import { integrationCase } from './cases/integration-case.ts';
import { knownTruthCase } from './cases/known-truth-case.ts';
import { leadingGenesCase } from './cases/leading-genes-case.ts';
import { ligandReceptorCase } from './cases/ligand-receptor-case.ts';
import { liveMapCase } from './cases/live-map-case.ts';
import { loadBesideBuildCase } from './cases/load-beside-build-case.ts';
import { loadCase } from './cases/load-case.ts';
import { markersCase } from './cases/markers-case.ts';
import { processAgreementCase, processCase } from './cases/process-cases.ts';
import { processSizesCase } from './cases/process-sizes-case.ts';
import { nestedSamplesCase } from './cases/nested-samples-case.ts';
import { nullRatesCase } from './cases/null-rates-case.ts';
import { pseudobulkCase } from './cases/pseudobulk-case.ts';
import { rankedEnrichmentCase } from './cases/ranked-enrichment-case.ts';
import { serverMemoryCase } from './cases/server-memory-case.ts';
import { signatureCase } from './cases/signature-case.ts';
import { startCase } from './cases/start-case.ts';
import { tiesCase } from './cases/ties-case.ts';
import { trajectoryCase } from './cases/trajectory-case.ts';
import { verdictOf } from './measure/result.ts';
import { type CaseResults, resultTable } from './measure/result-table.ts';
import { PeerUnavailable, peerPython } from './python-environment.ts';
import { readOptions, usage, WrongOptions } from './read-options.ts';

const cases: readonly BenchCase[] = [
  ...importCases,
  exportCase,
  geneCase('gene-100k', { cells: 100_000, genes: 20_000, repeat: 20 }),
  // The number of values of 100,000 cells × 20,000 genes; for one gene only the number of cells matters.
  geneCase('gene-1m', { cells: 1_000_000, genes: 2000, repeat: 10 }),
  geneFinderCase,
  markersCase,
  comparisonCase,
  signatureCase,
  enrichmentCase,
  rankedEnrichmentCase,
  pseudobulkCase,
  falseDiscoveriesCase,
  nestedSamplesCase,
  compositionReadCase,
  nullRatesCase,
  tiesCase,
  depthCase,
  designTrapsCase,
  leadingGenesCase,
  discoveryRatesCase,
  knownTruthCase,
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

const report = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const commandLine = readOptions(
    process.argv.slice(2),
    cases.map(({ name }) => name),
  );
  if (commandLine.help) {
    process.stdout.write(`${usage}\nCases: ${cases.map(({ name }) => name).join(', ')}\n`);
    return;
  }
  const { options, scratch, keep, json } = commandLine;
  await mkdir(scratch, { recursive: true });
  // Servers are stopped by listeners of `exit`.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      if (!keep) rmSync(scratch, { recursive: true, force: true });
      process.exit(130);
    });
  }
  const python = commandLine.peer ? peer() : undefined;
  const context = openContext({ options, scratch, python, peer: commandLine.peer, report });
  const done: CaseResults[] = [];
  try {
    for (const { name, title, run } of cases.filter((one) => commandLine.cases.includes(one.name))) {
      report(`${name}: ${title}`);
      const before = loadavg()[0]!;
      done.push({ name, title, ...(await run(context)), load: [before, loadavg()[0]!] });
    }
  } finally {
    if (!keep) await rm(scratch, { recursive: true, force: true });
    // Also after a failure.
    if (json !== undefined)
      await writeFile(json, `${JSON.stringify({ machine: machine(), cases: done }, null, 2)}\n`);
    process.stdout.write(`\n${done.map(resultTable).join('\n\n')}\n\n${machineText()}\n`);
  }
  const missed = done.flatMap(({ name, results }) =>
    results.filter((one) => verdictOf(one) === 'MISSED').map(({ quantity }) => `${name}: ${quantity}`),
  );
  process.stdout.write(missed.length === 0 ? 'No target missed.\n' : `Missed: ${missed.join('; ')}\n`);
}

function peer(): string | undefined {
  try {
    return peerPython(report);
  } catch (error) {
    if (!(error instanceof PeerUnavailable)) throw error;
    report(`\n!! WITHOUT THE PEER: ${error.message}\n`);
    return undefined;
  }
}

function machine() {
  return {
    date: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memory: totalmem(),
  };
}

function machineText(): string {
  const { node, cores, processor, memory } = machine();
  return `${cores} cores of ${processor}, ${(memory / 2 ** 30).toFixed(0)} GiB, Node ${node}`;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof WrongOptions)) throw error;
  process.stderr.write(`bench: ${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
