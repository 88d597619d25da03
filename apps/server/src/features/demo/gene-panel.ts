import { cellTypeMarkers } from './cell-type-markers.ts';
import { geneFamilies } from './gene-families.ts';
import { programmes } from './programmes.ts';

/** Symbols of the simulated panel, sorted, each once: the families, all markers, all programme genes. */
export function genePanel(): string[] {
  const symbols = new Set<string>();
  for (const line of geneFamilies.trim().split('\n')) {
    const [prefix, rest] = line.includes(':') ? line.split(':') : ['', line];
    const endings = (rest ?? '').trim();
    if (endings === '') symbols.add(prefix ?? '');
    else for (const ending of endings.split(' ')) symbols.add(`${prefix}${ending}`);
  }
  for (const markers of Object.values(cellTypeMarkers)) for (const gene of markers) symbols.add(gene);
  for (const genes of Object.values(programmes)) for (const gene of genes) symbols.add(gene);
  return [...symbols].sort();
}
