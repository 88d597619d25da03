// The pinned dependencies and the pinned Node. Plain JavaScript that works on Node 20 without dependencies.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = join(root, 'node_modules', '.bin');

/**
 * Environment of the pinned tools `node`, `vite`, `vitest`…, with a compile cache. Fewer malloc arenas save a tenth of
 * the memory.
 */
export const toolEnvironment = {
  MALLOC_ARENA_MAX: '2',
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'cellfolio-compiled'),
  ...process.env,
  PATH: `${bin}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
};

export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** Installs the locked dependencies if needed. */
export function ensureInstalled() {
  requireNode20();
  if (isInstalled(root) && existsSync(pinnedNode)) return;
  process.stderr.write('Installing dependencies (only when they change)…\n');
  const [command, ...prefix] = npmCommand();
  run(command, [...prefix, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], { stdout: 'stderr' });
}

/** Whether npm has recorded each locked dependency of `folder` as installed, whichever command installed it. */
export function isInstalled(folder) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const [locked, installed] = [join(folder, 'package-lock.json'), record].map(
    (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
  );
  return Object.entries(locked).every(([path, entry]) =>
    // The root has no entry in the record; what other systems need is not installed.
    path in installed ? isDeepStrictEqual(installed[path], entry) : path === '' || entry.optional,
  );
}

const declarations = ['analyses', 'analysis', 'contract', 'figures', 'model'].map(
  (name) => `packages/${name}`,
);

/** Builds the web app, the map for chats and the documentation, each if its sources have changed. */
export function ensureBuilt() {
  const web = join(root, 'apps', 'web');
  buildOnce('the web app', web, [web, ...declarations], () =>
    run('vite', ['build', '--logLevel', 'warn'], { cwd: web, stdout: 'stderr' }),
  );
  const map = join(root, 'apps', 'chat-map');
  const parts = ['columns', 'contract', 'map'].map((name) => `packages/${name}`);
  buildOnce('the map for chats', map, [map, ...parts], () =>
    run('vite', ['build', '--logLevel', 'warn'], { cwd: map, stdout: 'stderr' }),
  );
  const docs = join(root, 'apps', 'docs');
  const pages = [
    'docs',
    'clients',
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'apps/server',
    'package-lock.json',
  ];
  const theme = ['apps/web/public/boot.js', 'apps/web/src/app/brand.css'];
  buildOnce('the documentation', docs, [docs, ...pages, ...theme, ...declarations], () =>
    run(pinnedNode, ['apps/docs/src/build.ts'], { stdout: 'stderr' }),
  );
}

/** Builds `folder/dist` unless it was built from the same `sources`: files and folders of the project. */
function buildOnce(name, folder, sources, build) {
  const stamp = join(folder, 'dist', '.built-from');
  const files = sources.map((path) => resolve(root, path)).flatMap(filesOf);
  const state = digest(files.map((path) => `${path}\n${readFileSync(path)}`));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return;
  process.stderr.write(`Building ${name} (only when it changes)…\n`);
  build();
  writeFileSync(stamp, state);
}

const filesOf = (path) => (statSync(path).isDirectory() ? sourceFiles(path) : [path]);

/** Runs a tool of the project; a failure ends this process with the same exit code. */
export function run(command, args, { cwd = root, stdout = 'inherit' } = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd,
    env: toolEnvironment,
    stdio: ['ignore', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
  });
  if (error) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs a tool of the project in parallel; its output is inherited, or printed when it ends. Returns the exit code. */
export function runBeside(command, args, { env = {}, output = 'pipe' } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...toolEnvironment, ...env },
      stdio: ['ignore', output, output],
    });
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => chunks.push(bytes));
    child.on('error', ({ message }) => chunks.push(Buffer.from(`${command}: ${message}\n`)));
    child.on('close', (code) => {
      process.stderr.write(Buffer.concat(chunks));
      done(code ?? 1);
    });
  });
}

/** Runs a tool in place of this process: forwards signals and the exit code. */
export function become(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, env: { ...toolEnvironment, ...env }, stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes, others only to this one.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  // npm does not forward SIGTERM, so stop when npm has ended.
  if (process.env.npm_lifecycle_event) {
    const npm = process.ppid;
    setInterval(() => process.ppid === npm || child.kill('SIGTERM'), 500).unref();
  }
  child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
}

/** Loads `.env` of the project folder; variables of the environment take precedence. */
export function loadDotEnv() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  Object.assign(toolEnvironment, process.env, { PATH: toolEnvironment.PATH });
}

function requireNode20() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major >= 20) return;
  process.stderr.write(`Cellfolio needs Node 20 or newer; this is ${process.version}.\n`);
  process.exit(1);
}

// Some of the tools cannot be installed with npm 10.
function npmCommand() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { stdout } = spawnSync(npm, ['--version'], { encoding: 'utf8' });
  return Number(stdout?.split('.')[0]) >= 11 ? [npm] : ['npx', '--yes', 'npm@11'];
}

function sourceFiles(folder) {
  return readdirSync(folder)
    .filter(
      (name) => !['node_modules', 'dist', '.tsbuild', '.pages'].includes(name) && !/\.test\.tsx?$/.test(name),
    )
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? sourceFiles(path) : [path]))
    .sort();
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
