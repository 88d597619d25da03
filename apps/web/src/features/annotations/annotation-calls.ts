import type {
  Annotation,
  AnnotationChange,
  AnnotationList,
  AnnotationRevision,
  FigureSource,
  MatchedAnnotation,
  NewAnnotation,
} from '@cellfolio/contract';
import { annotation, annotationList, matchedAnnotation, numberColumn } from '@cellfolio/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast.ts';
import { invalidateColumns } from '@/features/map/index.ts';
import type { ApiClient } from '@/lib/api-client.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { useServices } from '@/lib/services.ts';
import { readText, useDraft } from '@/lib/use-draft.ts';

const listKey = (filename: string) => ['annotations', filename];
const listPath = (filename: string) => `/api/datasets/${encodeURIComponent(filename)}/annotations`;

/** One's own annotations of a dataset. */
export function annotationsQuery(api: ApiClient, filename: string) {
  return queryOptions({
    queryKey: listKey(filename),
    queryFn: ({ signal }) => api({ path: listPath(filename), answer: annotationList, signal }),
  });
}

/** The annotation that is being worked on: in its panel, and with cells selected on a map. */
export interface AnnotationAtHand {
  /** Of none, or of one that is gone: the newest is meant. */
  readonly id: string;
  readonly choose: (id: string) => void;
}

export function useAnnotationAtHand(draftKey: string): AnnotationAtHand {
  const [id, choose] = useDraft(`${draftKey}:annotation`, '', readText);
  return { id, choose };
}

const none: readonly Annotation[] = [];

/** Those of this version of the dataset; none until they are read. */
export function useAnnotations(filename: string, version: string): readonly Annotation[] {
  const { api } = useServices();
  const list = useQuery({
    ...annotationsQuery(api, filename),
    select: ({ annotations }) => annotations.filter((one) => one.version === version),
  });
  return list.data ?? none;
}

const noColumns: readonly AnnotationRevision[] = [];

/** All columns of one's own of this version of the dataset, labels and numbers; none until they are read. */
export function useOwnColumns(filename: string, version: string): readonly AnnotationRevision[] {
  const { api } = useServices();
  const list = useQuery({
    ...annotationsQuery(api, filename),
    select: ({ annotations, numbers }) =>
      [...annotations, ...numbers].filter((one) => one.version === version),
  });
  return list.data ?? noColumns;
}

/** What became of the columns of one's own that a figure was drawn from, where the server has them no more. */
type LostColumns = 'changed' | 'deleted';

/** Says what became of those of a figure of a dataset; `null` where they are kept, or that is not known. */
export function useLostColumns(filename: string) {
  const { api } = useServices();
  const list = useQuery(annotationsQuery(api, filename)).data;
  return (source: FigureSource | null | undefined): LostColumns | null =>
    list && source ? lostColumns(list, source) : null;
}

export function lostColumns(
  { annotations, numbers }: AnnotationList,
  { version, annotations: drawn = [] }: FigureSource,
): LostColumns | null {
  const isThere = ({ id }: AnnotationRevision) => [...annotations, ...numbers].some((one) => one.id === id);
  if (!drawn.every(isThere)) return 'deleted';
  const isGone = ({ id, revision }: AnnotationRevision) => {
    const now = annotations.find((one) => one.id === id);
    // The list has the revisions of one version of the dataset, and none that were made since it was read.
    if (now?.version !== version) return false;
    const newest = now?.history[0]?.revision ?? 0;
    return revision < newest && !now?.history.some((kept) => kept.revision === revision);
  };
  return drawn.some(isGone) ? 'changed' : null;
}

/**
 * What can be done with annotations of a dataset; a failure is said in a toast, and the list is read anew. Of several
 * actions in a row those that are `followed` leave the reading to the last one.
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

/** Answers the annotation as it is afterwards; undefined for one that was deleted. */
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

/** How the panel acts, and whether it does just now. */
export type AnnotationActions = ReturnType<typeof useAnnotationAction>;

interface Done {
  readonly annotation?: Annotation;
  readonly match?: MatchedAnnotation['match'];
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
