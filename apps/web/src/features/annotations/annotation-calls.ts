import type {
  Annotation,
  AnnotationChange,
  AnnotationList,
  AnnotationRevision,
  FigureSource,
  LinkLabels,
  MatchedAnnotation,
  NewAnnotation,
} from '@cellfolio/contract';
import { annotation, annotationList, linkLabels, matchedAnnotation, numberColumn } from '@cellfolio/contract';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { invalidateColumns } from '@/features/map/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { readText, useDraft } from '@/lib/use-draft.ts';

const listKey = (filename: string) => ['annotations', filename];
const listPath = (filename: string) => `/api/datasets/${encodeURIComponent(filename)}/annotations`;

export function annotationsQuery(api: ApiClient, filename: string) {
  return queryOptions({
    queryKey: listKey(filename),
    queryFn: ({ signal }) => api({ path: listPath(filename), answer: annotationList, signal }),
  });
}

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
  const { api } = useServices();
  const list = useQuery({
    ...annotationsQuery(api, filename),
    select: ({ annotations }) => annotations.filter((one) => one.version === version),
  });
  return list.data ?? none;
}

const noColumns: readonly AnnotationRevision[] = [];

/** The user's own columns of this version of the dataset, labels and numbers; empty until loaded. */
export function useOwnColumns(filename: string, version: string): readonly AnnotationRevision[] {
  const { api } = useServices();
  const list = useQuery({
    ...annotationsQuery(api, filename),
    select: ({ annotations, numbers }) =>
      [...annotations, ...numbers].filter((one) => one.version === version),
  });
  return list.data ?? noColumns;
}

type LostColumns = 'changed' | 'deleted';

/** Describes missing columns of a dataset's figure; `null` when they exist, or while unknown. */
export function useLostColumns(filename: string) {
  const { api } = useServices();
  const list = useQuery(annotationsQuery(api, filename)).data;
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
  api: ApiClient,
  client: QueryClient,
  { filename, link }: { filename: string; link: string },
): Promise<LinkLabels['labels']> {
  const { labels } = await api({
    path: `${listPath(filename)}/from-link`,
    body: { link },
    answer: linkLabels,
  });
  if (labels.some(({ added }) => added)) {
    await client.fetchQuery({ ...annotationsQuery(api, filename), staleTime: 0 });
    await invalidateColumns(client);
  }
  return labels;
}

/**
 * Actions on the annotations of a dataset; a failure shows a toast, and the list is reloaded. In a sequence of actions,
 * those with `followed` leave the reload to the last one.
 */
type AnnotationAction = { followed?: boolean } & (
  | ({ do: 'create' } & NewAnnotation)
  | { do: 'import'; name: string; file: File }
  | { do: 'change'; of: Annotation; change: AnnotationChange }
  | { do: 'move'; of: Annotation; to: number }
  | { do: 'rename'; of: Annotation; name: string }
  | { do: 'carry-over'; of: Annotation }
  | { do: 'keep-numbers'; name: string; source: FigureSource }
  | { do: 'delete'; of: AnnotationRevision }
);

const failures: Record<AnnotationAction['do'], string> = {
  create: 'The annotation was not created.',
  import: 'The labels were not imported.',
  change: 'The labels were not changed.',
  move: 'The change was not undone.',
  rename: 'The annotation was not renamed.',
  'carry-over': 'The labels were not carried over.',
  'keep-numbers': 'The column was not added.',
  delete: 'The column was not deleted.',
};

/** Resolves to the updated annotation; undefined for a deleted one. */
export function useAnnotationAction(filename: string) {
  const { api } = useServices();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: AnnotationAction): Promise<Done> => run(api, filename, action),
    onSuccess: (_, action) => toast.dismiss(failures[action.do]),
    onError: (error, action) =>
      toast.error(failures[action.do], { id: failures[action.do], description: reasonOf(error) }),
    onSettled: async (_, error, { followed = false }) => {
      if (followed && error === null) return;
      await client.invalidateQueries({ queryKey: listKey(filename) });
      await invalidateColumns(client);
    },
  });
}

export type AnnotationActions = ReturnType<typeof useAnnotationAction>;

interface Done {
  annotation?: Annotation;
  match?: MatchedAnnotation['match'];
}

async function run(api: ApiClient, filename: string, action: AnnotationAction): Promise<Done> {
  if (action.do === 'create') {
    const { name, from } = action;
    const body = { name, ...(from !== undefined && { from }) };
    return { annotation: await api({ path: listPath(filename), body, answer: annotation }) };
  }
  if (action.do === 'import') {
    const path = `${listPath(filename)}/import?${new URLSearchParams({ name: action.name })}`;
    const type = /\.(tsv|txt)$/i.test(action.file.name) ? 'text/tab-separated-values' : 'text/csv';
    return api({ path, body: new Blob([action.file], { type }), answer: matchedAnnotation });
  }
  if (action.do === 'keep-numbers') {
    const { name, source } = action;
    const path = `/api/datasets/${encodeURIComponent(filename)}/number-columns` as const;
    await api({ path, body: { name, source }, answer: numberColumn });
    return {};
  }
  const { id, revision } = action.of;
  const path = `/api/annotations/${id}`;
  switch (action.do) {
    case 'change':
      return {
        annotation: await api({
          path: `${path}/changes`,
          body: { revision, change: action.change },
          answer: annotation,
        }),
      };
    case 'move':
      return {
        annotation: await api({
          path: `${path}/revision`,
          body: { revision, to: action.to },
          answer: annotation,
        }),
      };
    case 'rename':
      return {
        annotation: await api({ method: 'PATCH', path, body: { name: action.name }, answer: annotation }),
      };
    case 'carry-over':
      return api({ path: `${path}/carry-over`, body: { revision }, answer: matchedAnnotation });
    case 'delete':
      await api({ method: 'DELETE', path, answer: annotationList.pick({ annotations: true }) });
      return {};
  }
}
