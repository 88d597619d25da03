// Counts the warnings of eleven results of a dataset of the demo catalogue, and their words, with the server of one or
// several checkouts, each in a new data folder, and prints a Markdown table:
//
//     node tools/count-warnings.mjs [CHECKOUT…]
//
// Without a checkout it is this one's. With --texts the warnings themselves follow.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { headersOf, send, signIn, startServer } from './replay/server.mjs';

const dataset = 'demo-breast-triple-negative.h5ad';
const set = (name, column, value) => ({
  name,
  filter: {
    subset_group_name: name,
    patient_metadata_filter: true,
    patient_metadata: { [column]: [value] },
  },
});
const treated = { a: set('treated', 'treatment', 'Neoadjuvant chemotherapy') };
const tCells = {
  subset: { subset_group_name: 'T cells', cell_type_filter: true, cell_type: ['T cell'] },
};

/** The calls, with their fields. */
const results = [
  ['markers of all clusters', 'perform-marker-analysis', { groupby: 'leiden' }],
  [
    'a cluster against all others',
    'perform-deg-analysis',
    { a: set('Cluster 0', 'leiden', '0'), method: 'wilcoxon' },
  ],
  ['A against B, Wilcoxon', 'perform-deg-analysis', { ...treated, method: 'wilcoxon' }],
  ['A against B, pseudobulk', 'perform-deg-analysis', { ...treated, method: 'pseudobulk' }],
  [
    'prerank of a comparison',
    'perform-ranked-enrichment',
    {
      ranking: { source: 'comparison', comparison: { ...treated, method: 'wilcoxon' } },
      library_name: 'MSigDB_Hallmark_2020',
      min_size: 1,
    },
  ],
  ['deciles of a gene', 'perform-decile-analysis', { by: { of: 'gene', gene: 'EPCAM' }, share: 25 }],
  ['composition', 'perform-composition-analysis', treated],
  ['trajectory', 'perform-trajectory-analysis', { groupby: 'leiden', cells: tCells }],
  ['ligands and receptors', 'perform-ligand-receptor-analysis', { groupby: 'cell_type' }],
  ['co-expression', 'perform-co-expression-analysis', { cells: tCells }],
  ['gradient of a gene', 'perform-gradient-analysis', { axis: { of: 'gene', gene: 'CD68' } }],
];

const options = process.argv.slice(2);
const texts = options.includes('--texts');
const checkouts = options.filter((option) => option !== '--texts').map((path) => resolve(path));
if (checkouts.length === 0) checkouts.push(resolve(import.meta.dirname, '..'));

const counted = [];
for (const checkout of checkouts) counted.push(await warningsOf(checkout));
const words = (warnings) => warnings.reduce((sum, { message }) => sum + message.split(/\s+/).length, 0);
const cell = (warnings) => `${warnings.length} (${words(warnings)})`;
process.stdout.write(
  `| warnings (words) | ${checkouts.join(' | ')} |\n|---|${'---|'.repeat(checkouts.length)}\n`,
);
for (const [at, [name]] of results.entries()) {
  process.stdout.write(`| ${name} | ${counted.map((all) => cell(all[at])).join(' | ')} |\n`);
}
process.stdout.write(`| all | ${counted.map((all) => cell(all.flat())).join(' | ')} |\n`);
if (texts) {
  for (const [at, all] of counted.entries()) {
    process.stdout.write(`\n${checkouts[at]}\n`);
    for (const [place, warnings] of all.entries()) {
      process.stdout.write(`\n${results[place][0]}\n`);
      for (const one of warnings) process.stdout.write(`- ${one.code} (${words([one])}): ${one.message}\n`);
    }
  }
}

/** The warnings of each result, from a server that is started for them. */
async function warningsOf(checkout) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cellfolio-warnings-'));
  try {
    const server = await startServer(checkout, dataDir);
    try {
      const headers = headersOf(server, await signIn(server, 'professional'), 'warnings');
      await answerOf(server, 'GET', `dataset_analysis/${dataset}`, { headers });
      const all = [];
      for (const [, call, body] of results) {
        all.push((await answerOf(server, 'POST', call, { headers, body })).warnings);
      }
      return all;
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function answerOf({ address }, method, call, options) {
  const { status, bytes } = await send(address, method, `/api/${call}`, options);
  if (status !== 200) throw new Error(`${call} answered ${status}: ${bytes}`);
  return JSON.parse(bytes);
}
