import type { Annotation } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Tags } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import {
  type AnnotationActions,
  type AnnotationAtHand,
  annotationsQuery,
  useAnnotationAction,
} from './annotation-calls.ts';
import { AnnotationGroups } from './annotation-groups.tsx';
import { AnnotationHistory } from './annotation-history.tsx';
import { AnnotationMenu, DeleteAnnotation } from './annotation-menu.tsx';
import { ColumnDisplay } from './column-display.tsx';
import { sayMatch } from './match-text.ts';
import { NewAnnotationButtons } from './new-annotation.tsx';
import { NumberList } from './number-list.tsx';

interface AnnotationsPanelProps {
  atHand: AnnotationAtHand;
  filename: string;
  version: string;
  onSuggest: () => void;
  children: ReactNode;
}

export function AnnotationsPanel({ atHand, filename, version, onSuggest, children }: AnnotationsPanelProps) {
  const { api } = useServices();
  const list = useQuery(annotationsQuery(api, filename));
  const action = useAnnotationAction(filename);
  if (list.isPending) return <Skeleton className="h-16" />;
  if (list.isError) {
    return (
      <Alert variant="danger" role="alert">
        <CircleAlert aria-hidden />
        <span className="flex flex-col items-start gap-2">
          The annotations could not be read. {reasonOf(list.error)}
          <Button variant="secondary" size="xs" onClick={() => void list.refetch()}>
            Try again
          </Button>
        </span>
      </Alert>
    );
  }
  const { annotations, numbers } = list.data;
  const current = annotations.find(({ id }) => id === atHand.id) ?? annotations.at(-1);
  return (
    <div className="flex flex-col gap-3">
      {current === undefined ? (
        <p className="text-muted text-[13px]">
          Label cells yourself: copy a column to rename, merge and recolour its groups, or start without
          labels and label selections on the map. Only you see them.
        </p>
      ) : (
        <Select value={current.id} onValueChange={atHand.choose}>
          <SelectTrigger aria-label="Annotation">
            <SelectValue />
          </SelectTrigger>
          <SelectContent>
            {annotations.map(({ id, name }) => (
              <SelectItem key={id} value={id}>
                {name}
              </SelectItem>
            ))}
          </SelectContent>
        </Select>
      )}
      {current !== undefined && (
        <Current
          key={current.id}
          annotation={current}
          action={action}
          filename={filename}
          version={version}
        />
      )}
      <NewAnnotationButtons
        filename={filename}
        version={version}
        action={action}
        onCreated={({ id }) => atHand.choose(id)}
      />
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onSuggest}>
          <Tags aria-hidden />
          Suggest cell types...
        </Button>
        <ColumnDisplay filename={filename} version={version} />
        {children}
      </div>
      <NumberList numbers={numbers} version={version} action={action} />
    </div>
  );
}

interface CurrentProps {
  annotation: Annotation;
  action: AnnotationActions;
  filename: string;
  version: string;
}

function Current({ annotation, action, filename, version }: CurrentProps) {
  const { groups, unlabelled } = annotation;
  const busy = action.isPending;
  if (annotation.version !== version) {
    return (
      <Alert variant="warning">
        <CircleAlert aria-hidden />
        <span className="flex flex-col items-start gap-2">
          The dataset has been replaced: these labels belong to its previous version. You can carry them over
          to cells with the same barcodes.
          <span className="flex gap-2">
            <Button
              size="xs"
              disabled={busy}
              onClick={() =>
                action.mutate(
                  { do: 'carry-over', of: annotation },
                  {
                    onSuccess: ({ match }) => match && sayMatch('Labels Carried Over', match),
                  },
                )
              }
            >
              Carry over
            </Button>
            <DeleteAnnotation annotation={annotation} action={action} />
          </span>
        </span>
      </Alert>
    );
  }
  return (
    <>
      <div className="flex items-center gap-1">
        <p role="status" className="text-muted min-w-0 flex-1 text-xs tabular-nums">
          {plural(groups.length, 'group')}, {formatCount(unlabelled)} unlabelled
        </p>
        <AnnotationHistory annotation={annotation} action={action} />
        <AnnotationMenu annotation={annotation} action={action} filename={filename} />
      </div>
      {groups.length > 0 ? (
        <AnnotationGroups
          key={annotation.revision}
          annotation={annotation}
          busy={busy}
          onChange={(change) => action.mutate({ do: 'change', of: annotation, change })}
        />
      ) : (
        <p className="text-muted text-[13px]">
          No labels yet. Select cells on a map with the lasso, then choose Label.
        </p>
      )}
    </>
  );
}
