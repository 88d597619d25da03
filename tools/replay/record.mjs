// Records the answers of a server, as a client gets them, as a folder of readable files.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordCommands, recordUploads, writeCellModel } from './data-in.mjs';
import { headersOf, send, signIn, startServer } from './server.mjs';
import { writeAnswer, writerTo } from './writer.mjs';

/** Formats that a figure is drawn in, each with what its file has behind the name of the case. */
const figureFormats = [
  ['', { format: 'json' }],
  ['', { format: 'svg' }],
  ['', { format: 'pdf' }],
  ['.light', { view: { width: 640, height: 480, theme: 'light' } }],
  ['.dark', { view: { width: 640, height: 480, theme: 'dark' } }],
];

const { shared, cases } = readCases(readFileSync(join(import.meta.dirname, 'cases.txt'), 'utf8'));
const dataset = shared.get('dataset');

function readCases(text) {
  const shared = new Map();
  const cases = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, before, after] = /^(\$\w+ = |)(.*)$/.exec(line);
    const filled = after.replaceAll(/\$(\w+)/g, (_, name) => shared.get(name));
    if (before !== '') {
      shared.set(before.slice(1, -3), filled);
      continue;
    }
    const [, name, verb, path, body] = /^(\S+) (\S+) (\S+)(?: (.+))?$/.exec(filled);
    const [method, tab = 'replay'] = verb.split('@');
    cases.push({ name, method, tab, path, body: body && JSON.parse(body) });
  }
  return { shared, cases };
}

/** Records into `folder`; returns a line for each case that was not answered as its name says. */
export async function record(folder, checkout) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cellfolio-replay-'));
  const faults = [];
  try {
    const files = writerTo(folder);
    files.hide(dataDir, '<data>');
    files.hide(checkout, '<checkout>');
    recordCommands(files, checkout, dataDir);
    writeCellModel(dataDir);
    const server = await startServer(checkout, dataDir);
    try {
      const { apiKey, publishableKey, demoAccounts } = server.config;
      files.hide(server.address, '<address>');
      for (const secret of [apiKey, publishableKey, ...demoAccounts.map(({ password }) => password)]) {
        files.hide(secret, '<secret>');
      }
      const tokens = new Map();
      for (const { tier } of demoAccounts) tokens.set(tier, await signIn(server, tier));
      await recordMatrix(files, server, tokens);
      await recordCases(files, server, tokens.get('professional'), faults);
      await recordUploads(files, server, tokens.get('professional'), dataset).catch((error) => {
        faults.push(`uploads: ${error.message}`);
      });
      files.writeVersions();
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return faults;
}

async function recordCases(files, server, token, faults) {
  const post = (tab) => ({ headers: headersOf(server, token, tab) });
  /** Sources of figures, by the case that answered them. */
  const sources = new Map();
  for (const { name, method, tab, path, body } of cases) {
    if (method === 'FIGURE') {
      const { content, subset, ...request } = body;
      const made = sources.get(path) ?? { dataset_filename: dataset, ...(subset && { subset }) };
      const source = { ...made, content: { ...made.content, ...content } };
      for (const [suffix, format] of figureFormats) {
        const figure = { ...post(tab), body: { source, ...request, ...format } };
        const answer = await send(server.address, 'POST', '/api/render-figure', figure);
        writeAnswer(files, `${name}${suffix}`, answer);
        check(`${name}${suffix}`, answer, faults);
      }
      continue;
    }
    const answer = await send(server.address, method, path, { ...post(tab), body });
    writeAnswer(files, name, answer);
    check(name, answer, faults);
    if (answer.status === 200 && /json/.test(answer.type)) sources.set(name, JSON.parse(answer.bytes).source);
  }
}

function check(name, { status, bytes }, faults) {
  const isRight = name.startsWith('refusals/') ? status >= 400 && status < 500 : status < 300;
  if (!isRight) faults.push(`${name}: ${status} ${bytes.toString().slice(0, 300)}`);
}

/** An id that nothing has. */
const noId = '00000000-0000-4000-8000-000000000000';

const parameters = {
  datasetFilename: 'none.h5ad',
  requestId: 'not%20one',
  name: 'none',
  column: 'none',
  place: '0',
};

/** Fetches files from the internet for operators, one of whom a demo account is. */
const notCalled = 'POST /api/gene-set-libraries/pull';

/** Calls of the platform; those of the API are read out of its OpenAPI document. */
const platformCalls = [
  ...['subscriptions', 'contact_submissions', 'generated_images', 'subset_metadata', 'user_files'].flatMap(
    (table) => [`GET /rest/v1/${table}?limit=0`, `POST /rest/v1/${table}`],
  ),
  'GET /auth/v1/user',
  'GET /storage/v1/object/user-files/none/none.tsv',
  ...['check-subscription', 'create-checkout', 'customer-portal', 'send-contact-email', 'analyze-image'].map(
    (name) => `POST /functions/v1/${name}`,
  ),
];

/** The OpenAPI document, and the status of every call for every kind of caller; bodies are empty, so that nothing changes. */
async function recordMatrix(files, server, tokens) {
  const { address, config } = server;
  const document = JSON.parse((await send(address, 'GET', '/api/openapi.json')).bytes);
  files.writeJson('openapi', document);
  const api = Object.entries(document.paths).flatMap(([path, methods]) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name] ?? noId);
    return Object.keys(methods).map((method) => `${method.toUpperCase()} ${filled}`);
  });
  const key = { apikey: config.publishableKey, 'x-api-key': config.apiKey };
  const callers = {
    'no key': {},
    'wrong key': { apikey: 'sb_publishable_wrong', 'x-api-key': 'wrong' },
    'signed out': key,
    visitor: { ...key, 'x-demo-dataset': dataset },
    ...Object.fromEntries([...tokens].map(([tier, token]) => [tier, headersOf(server, token, 'matrix')])),
  };
  const lines = [];
  for (const call of [...api.sort(), ...platformCalls].filter((one) => one !== notCalled)) {
    lines.push(call);
    const [method, path] = call.split(' ');
    for (const [caller, headers] of Object.entries(callers)) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const { status, bytes } = await send(address, method, path, { headers, body, tries: 1 });
      const code = status < 400 ? '' : (/"(?:code|error_code)":"(\w+)"/.exec(bytes)?.[1] ?? '');
      lines.push(`  ${caller.padEnd(12)} ${status} ${code}`.trimEnd());
    }
  }
  files.write('authorisation.txt', `${lines.join('\n')}\n`);
}
