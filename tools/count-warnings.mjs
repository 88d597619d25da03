// Counts the warnings of eleven results of a dataset of the demo catalogue, and their words, with the server of one or
// several checkouts, each in a new data folder, and prints a Markdown table:
//
//     node tools/count-warnings.mjs [CHECKOUT…]
//
// Without a checkout it is this one's. With --texts the warnings themselves follow.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

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
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [join(checkout, 'apps/server/src/boot/main.ts')], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error' },
  });
  try {
    while (
      !(await fetch(`${address}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (server.exitCode !== null) throw new Error(`the server of ${checkout} ended`);
      await sleep(200);
    }
    const { publishableKey, apiKey, demoAccounts } = await json(fetch(`${address}/config.json`));
    const { email, password } = demoAccounts.find(({ tier }) => tier === 'professional');
    const session = await json(
      fetch(`${address}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: publishableKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      }),
    );
    const headers = {
      'x-api-key': apiKey,
      authorization: `Bearer ${session.access_token}`,
      'x-session-id': 'warnings',
      'content-type': 'application/json',
    };
    await json(fetch(`${address}/api/dataset_analysis/${dataset}`, { headers }));
    const all = [];
    for (const [, call, body] of results) {
      const post = () =>
        fetch(`${address}/api/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
      let answered = await post();
      // A busy machine is given more time than a user waits.
      for (let retries = 0; answered.status === 504 && retries < 5; retries++) answered = await post();
      const answer = await json(answered);
      all.push(answer.warnings);
    }
    return all;
  } finally {
    const ended = once(server, 'close');
    server.kill();
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function json(request) {
  const answer = await request;
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
