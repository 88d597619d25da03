// Records the answers of a server, as a client gets them, as a folder of readable files.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { headersOf, runCommand, send, signIn, startServer } from './server.mjs';

/** Version of a dataset. */
const version = /\b[\da-f]{32}\b/g;

/** Parts of answers that differ between two runs of the same program, and what is recorded in their place. */
const volatile = [
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/g, '<id>'],
  [version, '<version>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g, '<time>'],
];

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
      await recordUploads(files, server, tokens.get('professional'));
      files.writeVersions();
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  return faults;
}

function writerTo(folder) {
  const hidden = [];
  const versions = new Set();
  const clean = (text) => {
    for (const found of text.match(version) ?? []) versions.add(found);
    return [...hidden, ...volatile].reduce((cleaned, [part, name]) => cleaned.replaceAll(part, name), text);
  };
  const write = (name, content) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? clean(content) : content);
  };
  return {
    hide: (part, name) => void hidden.push([part, name]),
    write,
    /** Those of datasets, once: a change of one would otherwise be a difference in most files. */
    writeVersions: () => writeFileSync(join(folder, 'versions.txt'), `${[...versions].sort().join('\n')}\n`),
    /** Tables and pictures in the value become files beside it. */
    writeJson: (name, value) => {
      const rest = withoutFiles(value, [], (path, ending, content) => {
        write(`${name}.${path.join('.')}${ending}`, content);
        return `in ${path.join('.')}${ending}`;
      });
      write(`${name}.json`, `${JSON.stringify(rest, null, 1)}\n`);
    },
  };
}

const pngStart = /^(?:data:image\/png;base64,)?(?=iVBORw0KGgo)/;

/** The value with sorted keys, and with what `keep` returns of each CSV and PNG in their places. */
function withoutFiles(value, path, keep) {
  if (typeof value === 'string') {
    if (String(path.at(-1)).endsWith('_csv')) return keep(path, '.csv', value);
    if (pngStart.test(value)) return keep(path, '.png', Buffer.from(value.replace(pngStart, ''), 'base64'));
    return value;
  }
  if (Array.isArray(value)) return value.map((one, at) => withoutFiles(one, [...path, at], keep));
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, withoutFiles(value[key], [...path, key], keep)]));
}

const endings = { csv: 'text/csv', svg: 'image/svg', png: 'image/png', pdf: 'application/pdf' };

function writeAnswer(files, name, { status, type, bytes }) {
  if (type.startsWith('application/json')) {
    const body = JSON.parse(bytes);
    files.writeJson(name, status < 300 ? body : { status, body });
    return;
  }
  const ending = Object.keys(endings).find((one) => type.startsWith(endings[one]));
  if (ending === undefined) files.write(`${name}.txt`, `${status} ${type}, ${bytesText(bytes)}`);
  else files.write(`${name}.${ending}`, ending === 'png' || ending === 'pdf' ? bytes : bytes.toString());
}

/** Length and checksum, with zeros in the place of what is volatile. */
function bytesText(bytes) {
  const stable = volatile.reduce(
    (text, [pattern]) => text.replaceAll(pattern, (found) => '0'.repeat(found.length)),
    bytes.toString('latin1'),
  );
  const checksum = createHash('sha256').update(stable, 'latin1').digest('hex');
  return `${bytes.length} bytes, sha256 ${checksum}\n`;
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

/** Raw counts of 180 cells of three kinds, twelve of them poor, as a table with a gene in each line. */
function countsTable() {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const cells = Array.from({ length: 180 }, (_, cell) => `cell-${cell}`);
  const lines = Array.from({ length: 300 }, (_, gene) => {
    const counts = cells.map((_, cell) => {
      const mean = (gene % 7 === cell % 3 ? 9 : 1) * (cell % 15 === 0 ? 0.1 : 1);
      return Math.floor(-Math.log(1 - random()) * mean);
    });
    return `${gene < 8 ? 'MT-' : ''}GENE${gene},${counts.join()}`;
  });
  return `gene,${cells.join()}\n${lines.join('\n')}\n`;
}

/** The command line: what it would add, and what it adds to the data folder before the server starts. */
function recordCommands(files, checkout, dataDir) {
  const file = join(dataDir, 'counts.csv');
  writeFileSync(file, countsTable());
  const add = [
    'dataset',
    'add',
    file,
    '--id',
    'counts.h5ad',
    '--name',
    'Counts',
    '--disease',
    'None',
    '--subdisease',
    'None',
  ];
  for (const [name, ...words] of [
    ['add-dry-run', ...add, '--dry-run'],
    ['add-wrong-option', ...add, '--resolution', '99'],
    ['add', ...add, '--deviations', '5', '--resolution', '0.5'],
    ['list', 'dataset', 'list'],
  ]) {
    files.write(`commands/${name}.txt`, runCommand(checkout, dataDir, words));
  }
}

/** Uploads an exported file and a table of counts; records what is said of them, and their datasets. */
async function recordUploads(files, server, token) {
  const headers = headersOf(server, token, 'uploads');
  const call = (method, path, body, more) =>
    send(server.address, method, path, { headers: { ...headers, ...more }, body });
  await call('GET', `/api/dataset_analysis/${dataset}`);
  const cells = { subset: { subset_group_name: 'NK', cell_type_filter: true, cell_type: ['NK', 'Mast'] } };
  const exported = await call('POST', '/api/export-dataset', { cells });
  for (const [name, bytes, build] of [
    ['exported.h5ad', exported.bytes],
    ['counts.csv.gz', gzipSync(countsTable()), { processing: { resolution: 0.5, neighbours: 10 } }],
  ]) {
    const id = await upload(call, token, name, bytes);
    const isAsked = ({ report, dataset }) => report.waitsFor?.length > 0 || isMade(dataset);
    files.writeJson(`uploads/${name}/inspected`, await settled(call, id, isAsked));
    if (build) {
      writeAnswer(files, `uploads/${name}/build`, await call('POST', `/api/files/${id}/build`, build));
      files.writeJson(`uploads/${name}/built`, await settled(call, id, ({ dataset }) => isMade(dataset)));
    }
    writeAnswer(files, `uploads/${name}/dataset`, await call('GET', `/api/dataset_analysis/custom:${id}`));
    writeAnswer(files, `uploads/${name}/cells`, await call('POST', '/api/export-cells', {}));
    writeAnswer(files, `uploads/${name}/h5ad`, await call('POST', '/api/export-dataset', {}));
  }
}

async function upload(call, token, name, bytes) {
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
  const path = `${sub}/1_${name}`;
  const type = { 'content-type': 'application/octet-stream' };
  const stored = await call('POST', `/storage/v1/object/user-files/${path}`, bytes, type);
  const row = { user_id: sub, file_name: name, original_filename: name, file_path: path };
  const listed = await call('POST', '/rest/v1/user_files', row, { prefer: 'return=representation' });
  if (stored.status >= 300 || listed.status >= 300) {
    throw new Error(`uploading ${name}: ${stored.bytes} ${listed.bytes}`);
  }
  return JSON.parse(listed.bytes)[0].id;
}

const isMade = (dataset) => dataset !== null && ['ready', 'failed'].includes(dataset.state);

/** Longest wait for the work on an upload, in seconds. */
const uploadLimit = 180;

/** The file, once it could not be read or is as it should become. */
async function settled(call, id, isSettled) {
  for (let second = 0; second < uploadLimit; second++) {
    const { files } = JSON.parse((await call('GET', '/api/own-files')).bytes);
    const file = files.find((one) => one.file_id === id);
    if (file?.problem || (file?.report && isSettled(file))) return file;
    await sleep(1000);
  }
  throw new Error(`the work on an upload did not end within ${uploadLimit} s`);
}
