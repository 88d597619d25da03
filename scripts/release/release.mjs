// npm run release -- VERSION: sets the version everywhere, commits and tags it here, and writes the files of the release.
// It pushes nothing.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import semver from 'semver';
import { ensureInstalled, root } from '../toolchain.mjs';
import { releasedChangelog, unreleasedChanges } from './changelog.mjs';
import { checksumsFile, writeReleaseFiles } from './release-files.mjs';
import { setVersion, statedVersions } from './version-places.mjs';

/** A release that cannot be made as things are; the message says what to do. */
export class ReleaseRefused extends Error {
  tag = 'ReleaseRefused';
}

/**
 * A failure after the checks leaves the commit and the files as they were.
 *
 * @param prepare runs after the checks
 * @returns path of the folder with the files of the release, below `folder`
 */
export function release(folder, version, { now = new Date(), prepare = () => {} } = {}) {
  const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const current = checkedVersion(folder, git, version);
  prepare();
  const start = git('rev-parse', 'HEAD');
  const date = now.toISOString().slice(0, 10);
  try {
    setVersion(folder, version, date);
    const changelog = join(folder, 'CHANGELOG.md');
    const migrations = migrationsSince(git, `v${current}`);
    writeFileSync(
      changelog,
      releasedChangelog(readFileSync(changelog, 'utf8'), { version, date, migrations }),
    );
    git('commit', '--all', '--quiet', '--message', `Release ${version}`);
    const commit = git('rev-parse', 'HEAD');
    const command = `npm run release -- ${version}`;
    const target = writeReleaseFiles(folder, { version, commit, command, startedOn: now });
    git('tag', '--annotate', '--message', `Cellfolio ${version}`, `v${version}`);
    return target;
  } catch (error) {
    // The tree had no changes, so that nothing else is lost.
    git('reset', '--hard', '--quiet', start);
    rmSync(join(folder, 'release', version), { recursive: true, force: true });
    throw error;
  }
}

/** The version before the release, if nothing speaks against the release. */
function checkedVersion(folder, git, version) {
  if (version === undefined || semver.valid(version) !== version)
    throw new ReleaseRefused(
      `“${version ?? ''}” is no semantic version such as 1.4.0 or 2.0.0-rc.1: npm run release -- VERSION`,
    );
  if (git('status', '--porcelain', '--untracked-files=normal') !== '')
    throw new ReleaseRefused(
      'The working tree has changes or new files: commit or stash them first (git status).',
    );
  const stated = statedVersions(folder);
  const current = stated[0].version;
  const other = stated.find((one) => one.version !== current);
  if (other)
    throw new ReleaseRefused(
      `${other.place} states ${other.version}, and ${stated[0].place} ${current}: make them agree first.`,
    );
  if (!semver.gt(version, current))
    throw new ReleaseRefused(`${version} is not newer than the current version, ${current}.`);
  const hasTag = (name) => git('tag', '--list', name) !== '';
  if (hasTag(`v${version}`))
    throw new ReleaseRefused(`The tag v${version} exists already: choose a newer version.`);
  if (!hasTag(`v${current}`))
    throw new ReleaseRefused(
      `There is no tag v${current}, since which migrations are listed: fetch the tags, or tag the commit of that version (git tag v${current} COMMIT).`,
    );
  if (unreleasedChanges(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')) === undefined)
    throw new ReleaseRefused(
      'CHANGELOG.md has no changes under “## [Unreleased]”: write what users will notice first.',
    );
  return current;
}

/** Names of the migrations that were added, in the order in which they run. */
function migrationsSince(git, tag) {
  const folder = 'supabase/migrations';
  const paths = git('diff', '--name-only', '--diff-filter=A', tag, 'HEAD', '--', folder);
  return paths
    .split('\n')
    .filter((path) => path.endsWith('.sql'))
    .map((path) => basename(path))
    .toSorted();
}

function nextSteps(version, target) {
  return `Cellfolio ${version} is committed and tagged here; nothing was pushed. Its files are in ${target}.

1. Look at it: git show v${version}, and the section of ${version} in CHANGELOG.md.
2. Test the tagged commit: npm run test:all
3. Sign the checksums, if your releases are signed, such as by gpg --detach-sign ${join(target, checksumsFile)}
   The provenance statement is unsigned.
4. Publish it: git push --atomic REMOTE BRANCH v${version}, and attach the files of ${target} to the release.
5. Build the image from the tag: git switch --detach v${version}, then
   docker build -f deploy/docker/Dockerfile -t cellfolio:${version} .

To take it back before it is pushed: git tag -d v${version} && git reset --hard HEAD~1
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [version] = process.argv.slice(2);
  try {
    // The licences are read from the installed packages.
    const target = release(root, version, { prepare: ensureInstalled });
    process.stdout.write(nextSteps(version, target));
  } catch (error) {
    if (!(error instanceof ReleaseRefused)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
