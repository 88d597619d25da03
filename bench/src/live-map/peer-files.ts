import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { paths } from '../paths.ts';
import { PeerUnavailable } from '../python-environment.ts';

/** The peer with its dependencies, all MIT. */
const pins = ['regl-scatterplot@1.16.0', 'regl@2.1.1', 'pub-sub-es@3.0.0'];

/** Files of regl-scatterplot by their address in the page, installed under .cache on first use. Throws PeerUnavailable. */
export async function peerFiles(report: (line: string) => void): Promise<ReadonlyMap<string, URL>> {
  const folder = join(paths.cache, `bench-${pins[0]!.replace('@', '-')}`);
  const files = {
    '/regl-scatterplot.js': 'regl-scatterplot/dist/regl-scatterplot.esm.js',
    '/regl.js': 'regl/dist/regl.js',
    '/pub-sub-es.js': 'pub-sub-es/dist/index.js',
  };
  const located = Object.entries(files).map(
    ([at, path]) => [at, join(folder, 'node_modules', path)] as const,
  );
  if (!located.every(([, path]) => existsSync(path))) {
    report(`  installing ${pins.join(', ')} into ${folder} (once)`);
    await mkdir(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...pins];
    const { status, stderr, error } = spawnSync('npm', args, { encoding: 'utf8', cwd: folder });
    if (status !== 0) throw new PeerUnavailable(`npm ${args.join(' ')} failed:\n${stderr}`, { cause: error });
  }
  return new Map(located.map(([at, path]) => [at, pathToFileURL(path)]));
}

/** The import map of the page; `regl` is a script. */
export const peerImports = {
  regl: 'data:text/javascript,export default globalThis.createREGL',
  'pub-sub-es': '/pub-sub-es.js',
};
