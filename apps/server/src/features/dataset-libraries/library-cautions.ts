import { countText, type ResultCaution as Caution } from '@cellfolio/model';
import { otherNameCautions } from '../../runtime/gene-names/named-genes.ts';
import type { CompiledForDataset, DatasetSpecies } from './background-genes.ts';

/** Keeps a file with thousands of odd lines from hiding the other cautions. */
const maxLibraryWarnings = 5;

/** How the genes of a library were matched with those of a dataset, and what is odd about its file. */
export function libraryCautions(library: CompiledForDataset, species: DatasetSpecies): Caution[] {
  return [
    ...aboutSpecies(library, species),
    ...otherNameCautions(library.renamed, 'the library'),
    ...aboutFile(library),
  ];
}

function aboutSpecies(
  { orthologues, species: theirs }: CompiledForDataset,
  species: DatasetSpecies,
): Caution[] {
  if (orthologues) {
    const { from, to, table, licence, mapped, unmapped, merged } = orthologues;
    return [
      {
        code: 'species-mapped',
        message: `The genes are of ${from}, those of the library of ${to}: ${countText(mapped)} were mapped to their orthologs by ${table} (license: ${licence}), ${countText(unmapped)} without one were left out. Of several orthologs the one of the same name counts, else the first of the table; ${countText(merged)} genes that share their ortholog with another count as one with it.`,
        numbers: { from, to, table, licence, mapped, unmapped, merged },
      },
    ];
  }
  if (species.by === 'request') {
    return [
      {
        code: 'species-given',
        message: `The species ${species.species ?? ''} was given in the request, not detected. Genes were compared by name.`,
        numbers: { species: species.species ?? '' },
      },
    ];
  }
  const unknown = [
    ...(species.species === undefined ? ['dataset'] : []),
    ...(theirs.species === undefined ? ['library'] : []),
  ];
  if (unknown.length === 0) return [];
  return [
    {
      code: 'species-unknown',
      message: `The gene names do not identify the species of the ${unknown.join(' and of the ')}, so genes were compared by name: check that both species are the same.`,
      numbers: { unknown },
    },
  ];
}

function aboutFile({ warnings }: CompiledForDataset): Caution[] {
  const cautions: Caution[] = warnings
    .slice(0, maxLibraryWarnings)
    .map((message) => ({ code: 'library', message }));
  const more = warnings.length - maxLibraryWarnings;
  if (more > 0) {
    cautions.push({
      code: 'library',
      message: `The file of the library has ${countText(more)} more problems of this kind.`,
      numbers: { more },
    });
  }
  return cautions;
}
