import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
// @ts-expect-error Plain JavaScript, as the other commands.
import { root } from './toolchain.mjs';

const project = root as string;
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md', 'supabase/*.md'], { cwd: project });
const read = (path: string) => readFileSync(join(project, path), 'utf8');

const anchors = new Map<string, Set<string>>();

/** Anchors as GitHub makes them of headings. */
function anchorsOf(page: string): Set<string> {
  const cached = anchors.get(page);
  if (cached) return cached;
  const headings = [
    ...read(page)
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .matchAll(/^#+ (.+)$/gm),
  ];
  const all = new Set(
    headings.map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
  anchors.set(page, all);
  return all;
}

function brokenLinks(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(#[^)\s]*)?\)/g)].flatMap(
    ([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      if (!existsSync(join(project, target))) return [`${page}: ${path}`];
      if (anchor === undefined || statSync(join(project, target)).isDirectory()) return [];
      return anchorsOf(target).has(anchor.slice(1)) ? [] : [`${page}: ${path}${anchor}`];
    },
  );
}

test('links between the pages of the project lead to files and headings that exist', () => {
  expect(pages).toEqual(expect.arrayContaining(['AGENTS.md', 'CHANGELOG.md', 'docs/accessibility.md']));
  expect(pages.flatMap(brokenLinks)).toEqual([]);
});

test('files and folders that the page for agents names in code exist', () => {
  const paths = [...read('AGENTS.md').matchAll(/`((?:\.|packages|apps|supabase|fixtures|scripts)[^`\s]*)`/g)]
    .map(([, path]) => path!.replace(/<.*/, ''))
    .filter((path) => !existsSync(join(project, path)));
  expect(paths).toEqual([]);
});

test('issue forms have what GitHub requires of them', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: project }).filter(
    (path) => !path.endsWith('config.yml'),
  );
  expect(forms.length).toBeGreaterThan(1);
  for (const path of forms) {
    const { name, description, body } = parse(read(path)) as Record<string, unknown> & {
      body: {
        type: string;
        id?: string;
        attributes: { label?: string; value?: string; options?: unknown[] };
      }[];
    };
    expect([typeof name, typeof description], path).toEqual(['string', 'string']);
    const inputs = body.filter(({ type }) => type !== 'markdown');
    expect(new Set(inputs.map(({ id }) => id)).size, path).toBe(inputs.length);
    for (const { type, attributes } of body) {
      expect(['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'], path).toContain(type);
      expect(type === 'markdown' ? attributes.value : attributes.label, path).toBeTruthy();
      expect(type !== 'dropdown' || attributes.options!.length > 1, path).toBe(true);
    }
  }
});
