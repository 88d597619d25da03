// The files of a release: source archive, SBOM, licences, provenance and checksums.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notices } from '../licences.mjs';
import { npm, shippedPackages, shippedPaths } from '../shipped.mjs';

export const checksumsFile = 'SHA256SUMS';

/**
 * Writes them into `release/VERSION`.
 *
 * @param commit its sources are archived
 * @returns path of the folder below `folder`
 */
export function writeReleaseFiles(folder, { version, commit, command, startedOn }) {
  const target = join('release', version);
  rmSync(join(folder, target), { recursive: true, force: true });
  mkdirSync(join(folder, target), { recursive: true });
  const name = `cellfolio-${version}`;
  const write = (file, text) => {
    writeFileSync(join(folder, target, file), text);
    return file;
  };
  const archive = `${name}.tar.gz`;
  const archiveArguments = [
    '--format=tar.gz',
    `--prefix=${name}/`,
    '--output',
    join(target, archive),
    commit,
  ];
  execFileSync('git', ['archive', ...archiveArguments], { cwd: folder });
  const files = [
    archive,
    write(`${name}.cdx.json`, json(sbom(folder))),
    write(`${name}.licences.txt`, notices(folder)),
  ];
  const sums = (names) =>
    names.map((file) => ({ name: file, digest: { sha256: sha256(join(folder, target, file)) } }));
  const lock = sha256(join(folder, 'package-lock.json'));
  const statement = provenance({ version, commit, command, startedOn, lock, subject: sums(files) });
  files.push(write(`${name}.provenance.json`, json(statement)));
  const lines = sums(files).map(({ name: file, digest }) => `${digest.sha256}  ${file}\n`);
  write(checksumsFile, lines.join(''));
  return target;
}

/** CycloneDX of npm, cut to what is shipped: its own `--omit=dev` leaves out too much (see `shippedPaths`). */
function sbom(folder) {
  const bom = JSON.parse(npm(folder, ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application']));
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const paths = shippedPaths(folder);
  const own = paths.flatMap((path) => lock.packages[lock.packages[path].resolved] ?? []);
  const packages = [...own, ...shippedPackages(lock, paths)];
  const shipped = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  const { component } = bom.metadata;
  // npm takes the name of the folder.
  component.name = lock.name;
  bom.components = bom.components.filter((entry) => shipped.has(entry['bom-ref']));
  // Read by hand where npm knows none.
  for (const entry of bom.components)
    entry.licenses ??= [{ license: { name: shipped.get(entry['bom-ref']).licence } }];
  const isPart = (ref) => shipped.has(ref) || ref === component['bom-ref'];
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => isPart(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isPart) }));
  return bom;
}

/** in-toto Statement v1 with a SLSA provenance v1 predicate. Unsigned: it is the word of its maker alone. */
function provenance({ version, commit, command, startedOn, lock, subject }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:x-cellfolio:release:v1',
        externalParameters: { command, version },
        internalParameters: { signature: 'none: this statement is unsigned' },
        resolvedDependencies: [
          { name: 'sources', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: {
        builder: {
          id: 'urn:x-cellfolio:maintainer',
          version: {
            node: process.versions.node,
            npm: execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim(),
            git: execFileSync('git', ['--version'], { encoding: 'utf8' }).trim().replace('git version ', ''),
          },
        },
        metadata: { startedOn: startedOn.toISOString(), finishedOn: new Date().toISOString() },
      },
    },
  };
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
