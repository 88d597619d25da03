import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type GeneSet, parseGmt } from '@cellfolio/analysis';
import type { Starter } from './library-names.ts';

/** One file a family, beside this one. */
const families: Readonly<Record<Starter, readonly string[]>> = {
  'hallmark states': ['hallmark-states'],
  pathways: [
    'cell-division-and-death',
    'genes-and-proteins',
    'metabolism',
    'signalling',
    'immunity',
    'tissues',
  ],
};

export interface StarterSets {
  readonly sets: readonly GeneSet[];
  /** Digest of the files. */
  readonly version: string;
}

/** They come with the source and cannot change while the process runs. */
const read = new Map<Starter, Promise<StarterSets>>();

/** Our own abridged sets of one kind. */
export function starterSets(starter: Starter): Promise<StarterSets> {
  let sets = read.get(starter);
  if (!sets) {
    sets = readStarter(starter);
    read.set(starter, sets);
    sets.catch(() => read.delete(starter));
  }
  return sets;
}

async function readStarter(starter: Starter): Promise<StarterSets> {
  const digest = createHash('sha256');
  const sets: GeneSet[] = [];
  for (const family of families[starter]) {
    const file = `${family}.gmt`;
    const text = await readFile(new URL(`./starter/${file}`, import.meta.url), 'utf8');
    digest.update(text);
    sets.push(...parseGmt(text, file).sets);
  }
  return { sets, version: digest.digest('hex') };
}
