// The tests of clients/r, against a server of this checkout. Part of `npm run test:all`; alone: node scripts/r-tests.mjs.
// Needs R 4.1 or later with the packages that its DESCRIPTION imports and suggests.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.mjs';
import { check, summarise } from './suites.mjs';
import { ensureInstalled, pinnedNode, root } from './toolchain.mjs';

const folder = join(root, 'clients', 'r');
const packages = 'httr2 jsonlite Matrix rhdf5 S4Vectors SingleCellExperiment SummarizedExperiment testthat';

/** Outcomes of the installation and the tests; without R or its packages a line that says why they are skipped. */
export async function rTests() {
  const problem = missing();
  if (problem !== undefined) {
    process.stderr.write(`SKIPPED: the tests of the R client were not run; ${problem}.\n`);
    return [{ name: 'R client', passed: 0, failed: 0, skipped: 1 }];
  }
  const scratch = mkdtempSync(join(tmpdir(), 'cellfolio-r-'));
  const library = join(scratch, 'library');
  mkdirSync(library);
  const closings = [() => rmSync(scratch, { recursive: true, force: true })];
  try {
    const install = await check('R client: installation', 'R', [
      'CMD',
      'INSTALL',
      `--library=${library}`,
      folder,
    ]);
    if (install.failed) return [install];
    const server = await startServer(join(scratch, 'data'), closings);
    const environment = { ...server, ...(await refusingServer(closings)), R_LIBS: library };
    const script = `testthat::test_dir(${JSON.stringify(join(folder, 'tests', 'testthat'))}, package = "cellfolio", load_package = "installed", stop_on_failure = TRUE)`;
    return [install, await check('R client: tests', 'Rscript', ['-e', script], environment)];
  } finally {
    for (const close of closings.toReversed()) await close();
  }
}

/** Names the packages that R lacks for the tests. */
function missing() {
  const probe = `wanted <- strsplit("${packages}", " ")[[1]]
    cat(if (getRversion() < "4.1") "R 4.1" else wanted[!vapply(wanted, requireNamespace, NA, quietly = TRUE)])`;
  const { status, stdout } = spawnSync('Rscript', ['-e', probe], { encoding: 'utf8' });
  if (status !== 0) return 'there is no R';
  return stdout.trim() === '' ? undefined : `R has no ${stdout.trim().replaceAll(' ', ', ')}`;
}

/** Starts a server with the demo catalog; its address, and keys with all scopes and with `read` alone. */
async function startServer(dataFolder, closings) {
  const port = await freePort();
  const server = spawn(pinnedNode, ['apps/server/src/boot/main.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataFolder, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  closings.push(async () => {
    server.kill('SIGTERM');
    await ended;
  });
  const lines = createInterface({ input: server.stdout });
  const account = await Promise.race([
    ended.then(() => undefined),
    new Promise((done) => {
      lines.on('line', (line) => {
        const match = /^ {2}professional +(\S+) +(\S+)/.exec(line);
        if (match) done({ email: match[1], password: match[2] });
      });
    }),
  ]);
  if (account === undefined) throw new Error('The server stopped before it was ready.');
  const url = `http://127.0.0.1:${port}`;
  const newKey = await keyMaker(url, account);
  return {
    CELLFOLIO_URL: url,
    // `label` is for annotations with names that a test makes.
    CELLFOLIO_API_KEY: await newKey(['read', 'analyse', 'export', 'label']),
    CELLFOLIO_READ_KEY: await newKey(['read']),
  };
}

async function keyMaker(url, account) {
  const post = async (path, headers, sent) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { publishableKey: apikey } = await (await fetch(`${url}/config.json`)).json();
  const { access_token: token } = await post('/auth/v1/token?grant_type=password', { apikey }, account);
  const headers = { apikey, authorization: `Bearer ${token}` };
  return async (scopes) => {
    const sent = { key_name: 'tests', valid_days: 1, key_scopes: scopes };
    const [{ key }] = await post('/rest/v1/rpc/create_api_key', headers, sent);
    return key;
  };
}

/** A server that answers as a busy one, a proxy and a redirect do; `/requests` counts the requests of a path. */
async function refusingServer(closings) {
  const counts = new Map();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const count = (counts.get(pathname) ?? 0) + 1;
    counts.set(pathname, count);
    const refusal = JSON.stringify({ error_code: 'busy', message: 'Wait.' });
    if (pathname === '/requests') response.end(JSON.stringify(Object.fromEntries(counts)));
    else if (pathname === '/busy-once' && count > 1) response.end('{"done": true}');
    else if (pathname === '/busy-once') response.writeHead(429, { 'retry-after': '1' }).end(refusal);
    else if (pathname === '/busy') response.writeHead(503, { 'retry-after': '0' }).end(refusal);
    else if (pathname === '/busy-for-long') response.writeHead(503, { 'retry-after': '3600' }).end(refusal);
    else if (pathname === '/moved') response.writeHead(302, { location: '/elsewhere' }).end();
    else if (pathname === '/ends-early') {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 100);
    } else if (pathname === '/silent' || pathname === '/waits') {
      response.on('close', () => counts.set(`${pathname} closed`, 1));
      response.writeHead(200).flushHeaders();
    } else response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closings.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { CELLFOLIO_REFUSING_URL: `http://127.0.0.1:${server.address().port}` };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  summarise(await rTests());
}
