// The changelog, in the form of Keep a Changelog 1.1.

const versionHeading = /^## \[(?<version>[^\]]+)\](?: - .+)?$/gm;
const unreleased = 'Unreleased';
const notesHeading = '### Upgrade notes';

/** `{ version, start, end }` of each section: `start` is behind its heading. */
function sections(text) {
  const headings = [...text.matchAll(versionHeading)];
  return headings.map(({ groups, index, 0: line }, at) => ({
    version: groups.version,
    start: index + line.length,
    end: headings[at + 1]?.index ?? text.length,
  }));
}

/** Undefined before the first version. */
export function newestVersion(text) {
  return sections(text).find(({ version }) => version !== unreleased)?.version;
}

/** Undefined where the section is missing, or has nothing but headings. */
export function unreleasedChanges(text) {
  const section = sections(text).find(({ version }) => version === unreleased);
  const changes = section && text.slice(section.start, section.end).trim();
  return changes?.replaceAll(/^#.*$/gm, '').trim() ? changes : undefined;
}

/**
 * The changelog with the unreleased changes under `version`.
 *
 * @param migrations names of files; each is listed under the upgrade notes
 */
export function releasedChangelog(text, { version, date, migrations }) {
  const { start, end } = sections(text).find((section) => section.version === unreleased);
  const changes = withMigrations(unreleasedChanges(text), migrations);
  return (
    `${text.slice(0, start)}\n\n## [${version}] - ${date}\n\n${changes}\n\n${text.slice(end)}`.trimEnd() +
    '\n'
  );
}

function withMigrations(changes, migrations) {
  if (migrations.length === 0) return changes;
  const names = migrations.map((name) => `  - \`${name}\``).join('\n');
  const note = `- Migrations run at the first start; back up before it ([how to upgrade](docs/operate.md#upgrade)):\n${names}`;
  const [before, notes] = changes.split(`${notesHeading}\n\n`);
  if (notes === undefined) return `${changes}\n\n${notesHeading}\n\n${note}`;
  // One list where the notes begin with one.
  return `${before}${notesHeading}\n\n${note}${notes.startsWith('- ') ? '\n' : '\n\n'}${notes}`;
}
