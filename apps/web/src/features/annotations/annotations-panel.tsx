import type { Annotation, MapColumnList, NumberColumn } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Tags, Palette, Trash2, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { reasonOf } from '@/lib/api-errors.ts';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { CategoryDisplayDialog } from '@/features/category-displays/index.ts';
import { ColumnPicker, columnListQuery, noGroups, ColumnField, titleIn } from '@/features/map/index.ts';
import { ConfirmQuestion } from '@/components/confirm-question.tsx';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { FileButton } from '@/components/file-button.tsx';
import { NamePopover } from '@/components/name-popover.tsx';
import { freeName } from '@/lib/free-name.ts';
import {
  type AnnotationActions,
  type AnnotationAtHand,
  annotationsQuery,
  useAnnotationAction,
} from './annotation-calls.ts';
import { AnnotationGroups } from './annotation-groups.tsx';
import { AnnotationHistory } from './annotation-history.tsx';
import { AnnotationMenu, DeleteAnnotation } from './annotation-menu.tsx';
import { sayMatch } from './match-text.ts';

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

type ObsColumn = MapColumnList['obs'][number];

function ColumnDisplay({ filename, version }: { filename: string; version: string }) {
  const { api } = useServices();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const [column, setColumn] = useState<ObsColumn>();
  return (
    <>
      <ColumnPicker
        label="Column to customise"
        columns={columns}
        problemOf={noDisplay}
        chosen={undefined}
        onChoose={(chosen) => setColumn(columns.find(({ name }) => name === chosen))}
      >
        <Button variant="secondary" size="sm" title="Order, colours and names of the groups of a column">
          <Palette aria-hidden />
          Order, colours and names…
        </Button>
      </ColumnPicker>
      <CategoryDisplayDialog filename={filename} column={column} onClose={() => setColumn(undefined)} />
    </>
  );
}

function noDisplay(column: ObsColumn): string | undefined {
  return column.own === true ? 'change it above' : noGroups(column);
}

interface NumberListProps {
  numbers: readonly NumberColumn[];
  version: string;
  action: AnnotationActions;
}

function NumberList({ numbers, version, action }: NumberListProps) {
  const [columnToDelete, setColumnToDelete] = useState<NumberColumn | null>(null);
  if (numbers.length === 0) return null;
  return (
    <section aria-label="Columns of numbers" className="flex flex-col gap-1 border-t pt-3">
      <h4 className="text-[13px] font-medium">Columns of numbers</h4>
      <ul className="flex flex-col">
        {numbers.map((column) => (
          <li key={column.id} className="flex items-center gap-2">
            <div className="min-w-0 flex-1">
              <p className="text-[13px]">
                <MiddleTruncated text={column.name} />
              </p>
              <p className="text-muted truncate text-xs" title={column.words}>
                {column.version === version
                  ? `${column.words} · ${formatCount(column.cells)} cells`
                  : 'From a previous version of the dataset'}
              </p>
            </div>
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={`Delete ${column.name}`}
              disabled={action.isPending}
              onClick={() => setColumnToDelete(column)}
            >
              <Trash2 aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmQuestion
        open={columnToDelete !== null}
        title={`Delete ${columnToDelete?.name ?? ''}?`}
        action="Delete"
        onAction={() => columnToDelete !== null && action.mutate({ do: 'delete', of: columnToDelete })}
        onClose={() => setColumnToDelete(null)}
      >
        Its result is kept and can be added again. Images drawn from it are kept.
      </ConfirmQuestion>
    </section>
  );
}

interface NewAnnotationProps {
  filename: string;
  version: string;
  action: AnnotationActions;
  onCreated: (annotation: Annotation) => void;
}

const maxName = 100;

function NewAnnotationButtons({ filename, version, action, onCreated }: NewAnnotationProps) {
  const { api } = useServices();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const list = useQuery(annotationsQuery(api, filename)).data;
  const usedNames = new Set(
    [...columns, ...(list?.annotations ?? []), ...(list?.numbers ?? [])].map(({ name }) => name),
  );
  const read = (file: File) =>
    action.mutate(
      {
        do: 'import',
        name: freeName(file.name.replace(/\.\w+$/, '') || 'Imported', usedNames, maxName),
        file,
      },
      {
        onSuccess: ({ annotation, match }) => {
          if (annotation) onCreated(annotation);
          if (match) sayMatch('Labels Imported', match);
        },
      },
    );
  return (
    <div className="flex flex-wrap gap-2">
      <NewAnnotation filename={filename} version={version} action={action} onCreated={onCreated} />
      <FileButton
        fileLabel="Table of labels"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        variant="secondary"
        size="sm"
        disabled={action.isPending}
        title="A CSV or TSV file with a barcode and a label per line"
        onFiles={([file]) => read(file)}
      >
        Import table
      </FileButton>
    </div>
  );
}

function NewAnnotation({ filename, version, action, onCreated }: NewAnnotationProps) {
  const { api } = useServices();
  const [from, setFrom] = useState<string | undefined>();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const title = from === undefined ? undefined : titleIn(columns, from);
  return (
    <NamePopover
      trigger={
        <Button variant="secondary" size="sm">
          <Plus aria-hidden />
          New annotation
        </Button>
      }
      label="Name"
      suggestion={title === undefined ? 'My labels' : `My ${title}`.slice(0, maxName)}
      action={['Create', 'Creating...']}
      isBusy={action.isPending}
      align="start"
      onName={(name, done) =>
        action.mutate(
          { do: 'create', name, ...(from !== undefined && { from }) },
          {
            onSuccess: ({ annotation }) => {
              if (annotation) onCreated(annotation);
              done();
            },
          },
        )
      }
    >
      <ColumnField
        label="Start from"
        columns={columns}
        chosen={from ?? ''}
        none="No labels"
        onChoose={(column) => setFrom(column === '' ? undefined : column)}
      />
    </NamePopover>
  );
}
