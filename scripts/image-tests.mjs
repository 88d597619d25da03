// Builds the image of deploy/docker by buildah, starts it as the compose file does, and starts a checkout on the same bare
// Debian: no git, Python, compiler or browser. Part of `npm run test:all`; alone: node scripts/image-tests.mjs.
// Needs root, buildah, debootstrap and a mirror of Debian, but no Docker and no registry of images.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from './free-port.mjs';
import { check, summarise } from './suites.mjs';
import { ensureInstalled, pinnedNode, root } from './toolchain.mjs';

const dockerfile = 'deploy/docker/Dockerfile';
const image = 'cellfolio-test';
const certificates = '/etc/ssl/certs';
const startSeconds = 900;

/** Outcomes of the builds and the starts; without what they need a line that says why they are skipped. */
export async function imageTests() {
  const problem = missing();
  if (problem !== undefined) {
    process.stderr.write(`SKIPPED: the image was not built; ${problem}.\n`);
    return [{ name: 'image', passed: 0, failed: 0, skipped: 1 }];
  }
  // On disk: the layers are larger than what a folder in memory may take.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(root, '.cache', 'image-'));
  try {
    const sources = sourcesIn(join(folder, 'sources'));
    const storage = [
      '--storage-driver',
      'vfs',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
    ];
    const base = await baseImage(folder, storage);
    if (base.failed) return [base];
    const options = ['--isolation', 'chroot', '--pull-never', '--layers=false', '--format', 'docker'];
    const from = ['-f', join(sources, dockerfile), '-t', image, sources];
    const building = [...storage, 'bud', ...options, ...trusted, ...from];
    const built = await check('image: build', 'buildah', building);
    const outcomes = [base, built];
    if (!built.failed) outcomes.push(await imageStarts(storage));
    outcomes.push(await checkoutStarts(storage, sources));
    return outcomes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function missing() {
  if (process.getuid?.() !== 0) return 'it takes root';
  const absent = ['buildah', 'debootstrap', 'git'].filter(
    (name) => spawnSync(name, ['--version']).status !== 0,
  );
  return absent.length === 0 ? undefined : `there is no ${absent.join(' and no ')}`;
}

/** The files of this checkout that git has, as they are now. */
function sourcesIn(folder) {
  mkdirSync(folder);
  const files = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  for (const name of files.stdout.split('\0').filter((one) => one !== '' && existsSync(join(root, one)))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  return folder;
}

/** Debian with Node and npm alone, under the name of the image that the Dockerfile begins with. */
async function baseImage(folder, storage) {
  const [, name, release] = /^FROM (node:\S+-(\w+)-slim) /m.exec(
    readFileSync(join(root, dockerfile), 'utf8'),
  );
  const system = join(folder, 'system');
  const made = await check('image: bare Debian', 'debootstrap', ['--variant=minbase', release, system]);
  if (made.failed) return made;
  const local = join(system, 'usr', 'local');
  const npm = spawnSync('sh', ['-c', 'realpath "$(command -v npm)"'], { encoding: 'utf8' }).stdout.trim();
  cpSync(pinnedNode, join(local, 'bin', 'node'));
  cpSync(dirname(dirname(npm)), join(local, 'lib', 'node_modules', 'npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const tool of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${tool}-cli.js`, join(local, 'bin', tool));
  const container = buildah([...storage, 'from', 'scratch']);
  buildah([...storage, 'add', '--quiet', container, system, '/']);
  buildah([...storage, 'config', ...npmSettings(), container]);
  buildah([...storage, 'commit', '--quiet', container, `docker.io/library/${name}`]);
  rmSync(system, { recursive: true });
  return made;
}

function buildah(args) {
  const { status, stdout, stderr } = spawnSync('buildah', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`buildah ${args.at(-1)}: ${stderr}`);
  return stdout.trim();
}

/** The registry of packages of this machine. */
function npmSettings() {
  const registry = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).stdout.trim();
  const settings = ['--env', `NPM_CONFIG_REGISTRY=${registry}`];
  if (existsSync(certificates))
    settings.push('--env', `NPM_CONFIG_CAFILE=${join(certificates, 'ca-certificates.crt')}`);
  return settings;
}

/** The certificates that this machine trusts, in the place of those of the image. */
const trusted = existsSync(certificates) ? ['--volume', `${certificates}:${certificates}:ro`] : [];

/** By its own command and user, on a data folder of its own, twice. */
async function imageStarts(storage) {
  const container = buildah([...storage, 'from', '--pull-never', image]);
  const {
    Entrypoint: entry,
    Cmd: args,
    User: user,
    Healthcheck: health,
  } = JSON.parse(buildah([...storage, 'inspect', '--type', 'image', image])).Docker.config;
  const problems = [];
  if (!/^[1-9]/.test(user)) problems.push(`The image runs as the user ${user || 'root'}.`);
  for (const time of ['first', 'second']) {
    const server = await startIn(storage, container, [...entry, ...args]);
    problems.push(...server.problems.map((problem) => `${time} start: ${problem}`));
    if (server.problems.length === 0) {
      const probe = inContainer(storage, container, { PORT: server.port }, health.Test.slice(1));
      const status = spawnSync('buildah', probe).status;
      if (status !== 0) problems.push(`${time} start: the health check ended with ${status}.`);
    }
    const code = await server.stop();
    if (code !== 0) problems.push(`${time} start: the server ended with ${code} after SIGTERM.`);
  }
  return outcome('image: starts, and starts again with its data', problems);
}

/** `npm start` as a new user has it. */
async function checkoutStarts(storage, sources) {
  const name = JSON.parse(buildah([...storage, 'images', '--json'])).flatMap(({ names }) => names ?? []);
  const base = name.find((one) => one.includes('/node:'));
  const container = buildah([...storage, 'from', '--pull-never', base]);
  buildah([...storage, 'add', '--quiet', container, sources, '/cellfolio']);
  buildah([...storage, 'config', '--workingdir', '/cellfolio', container]);
  const server = await startIn(storage, container, ['npm', 'start'], trusted);
  await server.stop();
  return outcome('bare Debian: npm start of a checkout', server.problems);
}

function inContainer(storage, container, environment, command, options = []) {
  const settings = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  return [...storage, 'run', '--isolation', 'chroot', ...options, ...settings, container, '--', ...command];
}

/** A server in a container, when its pages answer, or with the problems that it has. */
async function startIn(storage, container, command, options = []) {
  const port = await freePort();
  const environment = { HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'warn' };
  const child = spawn('buildah', inContainer(storage, container, environment, command, options), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const ended = once(child, 'exit');
  const until = Date.now() + 1000 * startSeconds;
  const problems = [];
  for (const [path, words] of [
    ['/healthz', ''],
    ['/', '<title>Cellfolio'],
    ['/docs/', '<title>'],
    ['/config.json', 'apiKey'],
  ]) {
    let text;
    while (text === undefined && child.exitCode === null && child.signalCode === null && Date.now() < until) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
      if (answer?.ok) text = await answer.text();
      else await new Promise((done) => setTimeout(done, 500));
    }
    if (!text?.includes(words)) problems.push(`${path} does not answer.`);
  }
  if (problems.length > 0) problems.push(`${ending(child)}\n${output.slice(-2000)}`);
  return {
    port,
    problems,
    stop: async () => {
      const first = firstProcessOf(child.pid);
      if (first === undefined) child.kill('SIGKILL');
      else process.kill(first, 'SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}

const ending = ({ exitCode, signalCode }) =>
  exitCode === null && signalCode === null ? 'It still runs.' : `It ended with ${exitCode ?? signalCode}.`;

/** The first process of a container, which a runtime sends its signals to; buildah forwards none. */
function firstProcessOf(pid) {
  const listed = spawnSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).stdout.trim().split('\n');
  const processes = listed.map((line) => line.trim().split(/\s+/));
  const childOf = (parent) => processes.find(([, of]) => of === String(parent));
  let one = childOf(pid);
  while (one?.[2].startsWith('buildah')) one = childOf(one[0]);
  return one && Number(one[0]);
}

function outcome(name, problems) {
  for (const problem of problems) process.stderr.write(`${name}: ${problem}\n`);
  return { name, passed: problems.length === 0 ? 1 : 0, failed: problems.length === 0 ? 0 : 1 };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  summarise(await imageTests());
}
