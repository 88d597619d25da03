import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../content/blog');

export function articleSource(slug: string): string {
  return readFileSync(join(folder, `${slug}.mdx`), 'utf8');
}

/** Words of running text: headings, paragraphs and lists, without figures, tables and citations. */
export function wordsOf(source: string): number {
  const text = source
    .replaceAll(/<Figure[\s\S]*?<\/Figure>/g, ' ')
    .replaceAll(/<(DataTable|Cite)[\s\S]*?\/>/g, ' ')
    .replaceAll(/<\/?\w+>/g, ' ')
    .replaceAll(/\]\([^)]*\)/g, ' ');
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}.,’'−-]*/gu)?.length ?? 0;
}

export function citedIn(source: string): string[] {
  const works = source.matchAll(/<Cite works="([^"]*)"/g);
  return [...new Set(Array.from(works, ([, keys]) => keys!.split(' ')).flat())];
}

interface PanelSource {
  name: string;
  width: number;
  height: number;
  alt: string;
}

export function panelsOf(source: string): PanelSource[] {
  return Array.from(source.matchAll(/<Panel\s([\s\S]*?)\/>/g), ([, attributes = '']) => {
    const text = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const number = (name: string) => Number(new RegExp(`${name}=\\{(\\d+)\\}`).exec(attributes)?.[1]);
    return { name: text('name'), width: number('width'), height: number('height'), alt: text('alt') };
  });
}
