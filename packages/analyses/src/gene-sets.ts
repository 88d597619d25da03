import { pathwayParameters } from '@cellfolio/analysis/parameters';
import { z } from 'zod';
import type { NextQuestion } from './declare.ts';
import type { DatasetFacts } from './fields.ts';
import { field, type FieldNote } from './form.ts';
import { speciesNote } from './lists.ts';

/** Source of gene sets; `title` and the citation must be shown wherever their results are. */
export const geneSetOrigin = z
  .object({
    name: z.string().describe('As requests name it.'),
    title: z.string().describe('Display name, with the release and whether it is abridged.'),
    source: z
      .enum(['publisher', 'file', 'built-in', 'starter'])
      .describe('`built-in` comes whole with the server, `starter` abridged.'),
    release: z.string().describe('Which sets these are, in words.'),
    licence: z.string(),
    citation: z.string().describe('Citation; empty if unknown.'),
  })
  .meta({ id: 'GeneSetOrigin' });
export type GeneSetOrigin = z.infer<typeof geneSetOrigin>;

export const geneSetLibrary = geneSetOrigin.extend({ set_count: z.number().int() });

export function geneSetAttribution({ release, licence, citation }: GeneSetOrigin): string {
  const sentence = `${release[0]?.toUpperCase() ?? ''}${release.slice(1)}. License: ${licence}.`;
  return citation === '' ? sentence : `${sentence} Cite: ${citation}.`;
}

/** Names that say no release, for libraries of which it is not known yet what the server has. */
export const plainLibraryNames: ReadonlyMap<string, string> = new Map([
  ['KEGG_2021_Human', 'KEGG'],
  ['MSigDB_Hallmark_2020', 'MSigDB Hallmark'],
  ['GO_Biological_Process_2023', 'GO Biological Process'],
  ['Reactome_Pathways_2024', 'Reactome'],
]);

/** A library as it is called where its `title` is not known: `KEGG`, or the name of one that the operator added. */
export function plainLibraryName(name: string): string {
  return plainLibraryNames.get(name) ?? name;
}

const { library_name, species } = pathwayParameters.shape;
const speciesChoices = species.unwrap().options.map((name) => {
  return [name, [`${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`]] as const;
});

/** The library that genes are tested against. */
export const library = field(library_name, {
  label: 'Library',
  control: 'list',
  source: 'gene-sets',
});

/** For the rare dataset whose gene names mislead the detection. */
export const datasetSpecies = field(species, {
  label: 'Species of the Dataset',
  empty: 'Detect',
  choices: Object.fromEntries(speciesChoices),
});

interface LibraryChoice {
  readonly library_name?: string;
  readonly species?: string | undefined;
}

/** Tells how a library is used on a dataset; undefined for one of the operator, whose species is not known before the run. */
export function libraryNote(
  { library_name: name = library_name.def.defaultValue, species: stated }: LibraryChoice,
  { species: ofDataset }: DatasetFacts,
): FieldNote | undefined {
  if (ofDataset === undefined || stated !== undefined || plainLibraryName(name) === name) return undefined;
  const note = speciesNote(ofDataset, 'human');
  if (ofDataset.named_as_human && !ofDataset.mapped.includes('human')) {
    const text = `This dataset has ${ofDataset.name ?? ''} genes, named after human genes: choose Human as the species to compare by name.`;
    return { problem: text };
  }
  return note && (note.isRefused ? { problem: note.text } : { hint: note.text });
}

/** Maximum number of genes that are tested at once. */
const maxGenes = 20_000;

/** Asks in which gene sets genes are over-represented among those that were tested. */
export function enrichmentOf(
  genes: readonly string[],
  tested: readonly string[],
  texts: Pick<NextQuestion, 'label' | 'title'>,
): NextQuestion {
  const change = {
    pathway_genes: genes.slice(0, maxGenes),
    background: { kind: 'own', genes: tested },
  };
  return { analysis: 'pathway', ...texts, change, isDisabled: genes.length === 0 };
}
