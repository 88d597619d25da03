import type { FieldForm, OfferedList } from '@cellfolio/analyses';
import {
  csvCell,
  type DatasetAnalysis,
  type GeneSetLibraries,
  geneSetAttribution,
  markerSets,
  maxOwnMarkersLength,
  maxOwnPairsLength,
  pairSets,
  plainLibraryName,
} from '@cellfolio/contract';
import { skipToken, type UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { z } from 'zod';
import { geneSetLibrariesQuery, PullLibraries } from '@/features/gene-sets/gene-set-libraries.tsx';
import type { ApiClient } from '@/lib/api-client.ts';
import { plural } from '@/lib/format.ts';

type ListQuery = UseQueryOptions<unknown, Error, readonly OfferedList[]>;

/** A text of the user in the place of a list of the server. */
export interface CustomList {
  readonly label: string;
  readonly fileLabel: string;
  readonly about: string;
  readonly placeholder: string;
  /** Noun, such as `pairs`. */
  readonly entries: string;
  /** Maximum characters. */
  readonly max: number;
  readonly headings: readonly (readonly [pattern: RegExp, name: string])[];
  /** The text with the gene lists of the user as further entries; absent where they are none. */
  withGeneLists?(text: string, lists: readonly { name: string; genes: readonly string[] }[]): string;
}

/** Lists of the server that forms offer. */
export interface ListSource {
  query(api: ApiClient, dataset: DatasetAnalysis): ListQuery;
  /** Nouns for one list and for all. */
  readonly one: string;
  readonly many: string;
  /** The title of a list that is not loaded. */
  titleOf(name: string): string;
  readonly own?: CustomList;
  /** Ends the control. */
  readonly End?: ComponentType;
}

export const noLists: ListQuery = { queryKey: ['offered-lists'], queryFn: skipToken };

/** The lists of a call that says how much of each a dataset has. */
function ofDataset<Answer>(
  path: `/api/${string}`,
  answer: z.ZodType<Answer>,
  listsOf: (answer: Answer) => OfferedList[],
): ListSource['query'] {
  return (api, { dataset_filename: dataset, version }) => ({
    queryKey: ['offered-lists', path, dataset, version],
    queryFn: async ({ signal }) =>
      listsOf(await api({ path: `${path}?dataset=${encodeURIComponent(dataset)}`, answer, signal })),
    staleTime: 3_600_000,
  });
}

interface ListHead {
  readonly name: string;
  readonly label: string;
  readonly release: string;
  readonly licence: string;
  readonly species: string;
}

function headOf({ name, label, release, licence, species }: ListHead, size: string) {
  const parts = [size, label, release, `${species} genes`, licence].filter((part) => part !== '');
  return { name, title: name, species, about: `${parts.join(' · ')}.` };
}

function offeredLibrary({ set_count: sets, ...library }: GeneSetLibraries['libraries'][number]): OfferedList {
  const { name, title, source } = library;
  const about = `${plural(sets, 'gene set')}${source === 'starter' ? ', for a first look only' : ''}. ${geneSetAttribution({ ...library, citation: '' })}`;
  return { name, title, about, total: sets, foundCount: sets, largestType: sets };
}

export const listSources: Readonly<Record<NonNullable<FieldForm['source']>, ListSource>> = {
  'gene-sets': {
    query: (api) => ({
      ...geneSetLibrariesQuery(api),
      select: (answer) => (answer as GeneSetLibraries).libraries.map(offeredLibrary),
    }),
    one: 'library',
    many: 'list of libraries',
    titleOf: plainLibraryName,
    End: PullLibraries,
  },
  markers: {
    query: ofDataset('/api/cell-type-markers', markerSets, ({ sets }) =>
      sets.map(({ type_count: types, in_dataset: inDataset, ...set }) => ({
        ...headOf(set, plural(types, 'type')),
        total: inDataset!.marker_count,
        foundCount: inDataset!.found_count,
        largestType: inDataset!.largest_type_count,
      })),
    ),
    one: 'set',
    many: 'sets of markers',
    titleOf: (name) => name,
    own: {
      label: 'List of markers',
      fileLabel: 'File of markers',
      about: 'Gene names as in the dataset; optional columns: weight, lineage, reference.',
      placeholder: 'cell_type,gene\nB cell,MS4A1 CD79A CD19\nNK cell,NCAM1 KLRD1 GNLY',
      entries: 'markers',
      max: maxOwnMarkersLength,
      headings: [
        [/type|cell_name|source/i, 'cell_type'],
        [/gene|symbol|marker|target/i, 'gene'],
      ],
      withGeneLists(text, lists) {
        const before = text.trim() === '' ? 'cell_type,gene' : text.trimEnd();
        const lines = lists.flatMap(({ name, genes }) =>
          genes.map((gene) => `${csvCell(name)},${csvCell(gene)}`),
        );
        return [before, ...lines, ''].join('\n');
      },
    },
  },
  pairs: {
    query: ofDataset('/api/ligand-receptor-pairs', pairSets, ({ sets }) =>
      sets.map(({ pair_count: pairs, in_dataset: inDataset, ...set }) => ({
        ...headOf(set, plural(pairs, 'pair')),
        total: pairs,
        foundCount: inDataset!.found_count,
        largestType: inDataset!.found_count,
      })),
    ),
    one: 'set',
    many: 'sets of pairs',
    titleOf: (name) => name,
    own: {
      label: 'List of pairs',
      fileLabel: 'File of pairs',
      about: 'Gene names as in the dataset; join subunits of a complex by + or _.',
      placeholder: 'ligand,receptor\nCXCL12,CXCR4\nICAM1,ITGAL+ITGB2',
      entries: 'pairs',
      max: maxOwnPairsLength,
      headings: [
        [/ligand|source_genesymbol/i, 'ligand'],
        [/receptor|target_genesymbol/i, 'receptor'],
      ],
    },
  },
};

/** Represents the user's own list among those of the server; their names contain no blank. */
export const ownListChoice = 'own list';

/** Why a user's own list cannot be sent; undefined if it can. The server parses it line by line. */
export function ownListProblem(text: string, { entries, max, headings }: CustomList): string | undefined {
  if (text.trim() === '') return `Paste ${entries}, or choose a file.`;
  if (text.length > max) {
    return `The list has ${text.length.toLocaleString('en-US')} characters; the maximum is ${max.toLocaleString('en-US')}.`;
  }
  const heading = text.split(/\r|\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  if (headings.every(([pattern]) => pattern.test(heading))) return undefined;
  return `The first line must name the columns ${headings.map(([, name]) => name).join(' and ')}.`;
}
