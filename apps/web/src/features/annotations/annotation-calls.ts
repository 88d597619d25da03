import type {
  Annotation,
  AnnotationChange,
  AnnotationList,
  AnnotationRevision,
  FigureSource,
  LinkLabels,
} from '@cellfolio/contract';
import { annotation, annotationList, linkLabels, matchedAnnotation, numberColumn } from '@cellfolio/contract';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type DocumentKind, type Documents, documentsQuery } from '@/features/documents/index.ts';
import { invalidateColumns } from '@/features/map/index.ts';
import { type Services, useServices } from '@/lib/services.ts';
import { readText, useDraft } from '@/lib/use-draft.ts';

const onePath = '/api/annotations';
const listPath = (filename: string) => `/api/datasets/${encodeURIComponent(filename)}/annotations`;

export const annotationsOf = (filename: string): DocumentKind<AnnotationList, Annotation> => ({
  key: ['annotations', filename],
  all: listPath(filename),
  one: onePath,
  list: annotationList,
  saved: annotation,
  left: annotationList.pick({ annotations: true }),
  failures: {
    create: 'The annotation was not created.',
    change: 'The annotation was not renamed.',
    remove: 'The column was not deleted.',
  },
  onChanged: invalidateColumns,
});

export interface AnnotationAtHand {
  /** If empty or deleted, the newest annotation is used. */
  id: string;
  choose: (id: string) => void;
}

export function useAnnotationAtHand(draftKey: string): AnnotationAtHand {
  const [id, choose] = useDraft(`${draftKey}:annotation`, '', readText);
  return { id, choose };
}

const none: readonly Annotation[] = [];

/** Annotations of this version of the dataset; empty until loaded. */
export function useAnnotations(filename: string, version: string): readonly Annotation[] {
  const list = useQuery({
    ...documentsQuery(useServices(), annotationsOf(filename)),
    select: ({ annotations }) => annotations.filter((one) => one.version === version),
  });
  return list.data ?? none;
}

const noColumns: readonly AnnotationRevision[] = [];

/** The user's own columns of this version of the dataset, labels and numbers; empty until loaded. */
export function useOwnColumns(filename: string, version: string): readonly AnnotationRevision[] {
  const list = useQuery({
    ...documentsQuery(useServices(), annotationsOf(filename)),
    select: ({ annotations, numbers }) =>
      [...annotations, ...numbers].filter((one) => one.version === version),
  });
  return list.data ?? noColumns;
}

type LostColumns = 'changed' | 'deleted';

/** Describes missing columns of a dataset's figure; `null` when they exist, or while unknown. */
export function useLostColumns(filename: string) {
  const list = useQuery(documentsQuery(useServices(), annotationsOf(filename))).data;
  return (source: FigureSource | null | undefined): LostColumns | null =>
    list && source ? lostColumns(list, source) : null;
}

export function lostColumns(
  { annotations, numbers }: AnnotationList,
  { version, annotations: sourceColumns = [] }: FigureSource,
): LostColumns | null {
  const isThere = ({ id }: AnnotationRevision) => [...annotations, ...numbers].some((one) => one.id === id);
  if (!sourceColumns.every(isThere)) return 'deleted';
  const isGone = ({ id, revision }: AnnotationRevision) => {
    const now = annotations.find((one) => one.id === id);
    // The list has the revisions of one version of the dataset, and none that were made since it was read.
    if (now?.version !== version) return false;
    const newest = now?.history[0]?.revision ?? 0;
    return revision < newest && !now?.history.some((entry) => entry.revision === revision);
  };
  return sourceColumns.some(isGone) ? 'changed' : null;
}

/**
 * Adds the labels of a short link to the user's annotations. Resolves once the lists of columns have them, to the
 * labels of the link, those that the user does not have with the problem.
 */
export async function takeLinkLabels(
  services: Services,
  client: QueryClient,
  { filename, link }: { filename: string; link: string },
): Promise<LinkLabels['labels']> {
  const { labels } = await services.api({
    path: `${listPath(filename)}/from-link`,
    body: { link },
    answer: linkLabels,
  });
  if (labels.some(({ added }) => added)) {
    await client.fetchQuery({ ...documentsQuery(services, annotationsOf(filename)), staleTime: 0 });
    await invalidateColumns(client);
  }
  return labels;
}

/** Calls on annotations besides those that all documents have. */
export const annotationCalls = {
  import: (filename: string, { name, file }: { name: string; file: File }) => ({
    path: `${listPath(filename)}/import?${new URLSearchParams({ name })}`,
    body: new Blob([file], {
      type: /\.(tsv|txt)$/i.test(file.name) ? 'text/tab-separated-values' : 'text/csv',
    }),
    answer: matchedAnnotation,
    failure: 'The labels were not imported.',
  }),
  keepNumbers: (filename: string, body: { name: string; source: FigureSource }) => ({
    path: `/api/datasets/${encodeURIComponent(filename)}/number-columns`,
    body,
    answer: numberColumn,
    failure: 'The column was not added.',
  }),
  change: ({ id, revision }: Annotation, change: AnnotationChange) => ({
    path: `${onePath}/${id}/changes`,
    body: { revision, change },
    answer: annotation,
    failure: 'The labels were not changed.',
  }),
  move: ({ id, revision }: Annotation, to: number) => ({
    path: `${onePath}/${id}/revision`,
    body: { revision, to },
    answer: annotation,
    failure: 'The change was not undone.',
  }),
  carryOver: ({ id, revision }: Annotation) => ({
    path: `${onePath}/${id}/carry-over`,
    body: { revision },
    answer: matchedAnnotation,
    failure: 'The labels were not carried over.',
  }),
};

export type AnnotationDocuments = Documents<AnnotationList, Annotation>;
