import type { Annotation, AnnotationList, MapColumnList, NumberColumn } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Tags, Palette, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Alert } from '@/components/ui/alert.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from '@/components/ui/select.tsx';
import { formatCount, plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { CategoryDisplayDialog } from '@/features/category-displays/index.ts';
import { DocumentRow, ListState, useDocuments } from '@/features/documents/index.ts';
import { ColumnPicker, columnListQuery, noGroups, ColumnField, titleIn } from '@/features/map/index.ts';
import { MiddleTruncated } from '@/components/middle-truncated.tsx';
import { FileButton } from '@/components/file-button.tsx';
import { NamePopover } from '@/components/name-popover.tsx';
import { freeName } from '@/lib/free-name.ts';
import { useFocusAfter } from '@/lib/use-focus-after.ts';
import {
  annotationCalls,
  type AnnotationAtHand,
  type AnnotationDocuments,
  annotationsOf,
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

export function AnnotationsPanel(props: AnnotationsPanelProps) {
  const documents = useDocuments(annotationsOf(props.filename));
  return (
    <ListState list={documents.list} noun="annotations">
      {(list) => <ReadAnnotations {...props} {...list} documents={documents} />}
    </ListState>
  );
}

interface ReadAnnotationsProps
  extends AnnotationsPanelProps, Pick<AnnotationList, 'annotations' | 'numbers'> {
  documents: AnnotationDocuments;
}

function ReadAnnotations({
  annotations,
  numbers,
  documents,
  atHand,
  filename,
  version,
  onSuggest,
  children,
}: ReadAnnotationsProps) {
  const current = annotations.find(({ id }) => id === atHand.id) ?? annotations.at(-1);
  return (
    <div className="flex flex-col gap-3">
      {current === undefined ? (
        <p className="text-muted text-[13px]">
          Label cells yourself: copy a column to rename, merge and recolor its groups, or start without labels
          and label selections on the map. Only you see them.
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
          documents={documents}
          filename={filename}
          version={version}
        />
      )}
      <NewAnnotationButtons
        filename={filename}
        version={version}
        documents={documents}
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
      <NumberList numbers={numbers} version={version} documents={documents} />
    </div>
  );
}

interface CurrentProps {
  annotation: Annotation;
  documents: AnnotationDocuments;
  filename: string;
  version: string;
}

function Current({ annotation, documents, filename, version }: CurrentProps) {
  const { groups, unlabelled } = annotation;
  const { run, isPending: busy } = documents;
  // Each revision renders the list from the start.
  const list = useFocusAfter(String(annotation.revision));
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
                void run(annotationCalls.carryOver(annotation), {
                  done: ({ match }) => sayMatch('Labels Carried Over', match),
                })
              }
            >
              Carry over
            </Button>
            <DeleteAnnotation annotation={annotation} documents={documents} />
          </span>
        </span>
      </Alert>
    );
  }
  return (
    <>
      <div className="flex items-center gap-1">
        <p role="status" className="text-muted min-w-0 flex-1 text-xs tabular-nums">
          {plural(groups.length, 'group')}, {formatCount(unlabelled)} unlabeled
        </p>
        <AnnotationHistory annotation={annotation} documents={documents} />
        <AnnotationMenu annotation={annotation} documents={documents} filename={filename} />
      </div>
      {groups.length > 0 ? (
        <div ref={list} tabIndex={-1} className="outline-none">
          <AnnotationGroups
            key={annotation.revision}
            annotation={annotation}
            busy={busy}
            onChange={(change) => void run(annotationCalls.change(annotation, change))}
          />
        </div>
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
        label="Column to customize"
        columns={columns}
        problemOf={noDisplay}
        chosen={undefined}
        onChoose={(chosen) => setColumn(columns.find(({ name }) => name === chosen))}
      >
        <Button variant="secondary" size="sm" title="Order, colors and names of the groups of a column">
          <Palette aria-hidden />
          Order, colors and names…
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
  documents: AnnotationDocuments;
}

function NumberList({ numbers, version, documents: { remove, isPending } }: NumberListProps) {
  if (numbers.length === 0) return null;
  return (
    <section aria-label="Columns of numbers" className="flex flex-col gap-1 border-t pt-3">
      <h4 className="text-[13px] font-medium">Columns of numbers</h4>
      <ul className="flex flex-col">
        {numbers.map((column) => (
          <DocumentRow
            key={column.id}
            name={column.name}
            disabled={isPending}
            content={
              <>
                <p className="flex text-[13px]">
                  <MiddleTruncated text={column.name} />
                </p>
                <p className="text-muted truncate text-xs" title={column.words}>
                  {column.version === version
                    ? `${column.words} · ${formatCount(column.cells)} cells`
                    : 'From a previous version of the dataset'}
                </p>
              </>
            }
            remove={{
              note: 'Its result is kept and can be added again. Images drawn from it are kept.',
              onRemove: () => void remove(column.id),
            }}
          />
        ))}
      </ul>
    </section>
  );
}

interface NewAnnotationProps {
  columns: ObsColumn[];
  documents: AnnotationDocuments;
  onCreated: (annotation: Annotation) => void;
}

const maxName = 100;

function NewAnnotationButtons({
  filename,
  version,
  documents,
  onCreated,
}: Omit<NewAnnotationProps, 'columns'> & { filename: string; version: string }) {
  const { api } = useServices();
  const columns = useQuery(columnListQuery(api, { filename, version })).data?.obs ?? [];
  const { data: list } = documents.list;
  const usedNames = new Set(
    [...columns, ...(list?.annotations ?? []), ...(list?.numbers ?? [])].map(({ name }) => name),
  );
  const read = (file: File) =>
    void documents.run(
      annotationCalls.import(filename, {
        name: freeName(file.name.replace(/\.\w+$/, '') || 'Imported', usedNames, maxName),
        file,
      }),
      {
        done: ({ annotation, match }) => {
          onCreated(annotation);
          sayMatch('Labels Imported', match);
        },
      },
    );
  return (
    <div className="flex flex-wrap gap-2">
      <NewAnnotation columns={columns} documents={documents} onCreated={onCreated} />
      <FileButton
        fileLabel="Table of labels"
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
        variant="secondary"
        size="sm"
        disabled={documents.isPending}
        title="A CSV or TSV file with a barcode and a label per line"
        onFiles={([file]) => read(file)}
      >
        Import table
      </FileButton>
    </div>
  );
}

function NewAnnotation({ columns, documents, onCreated }: NewAnnotationProps) {
  const [chosen, setFrom] = useState<string | undefined>();
  // The clusters, which are named first, until another column or none is chosen.
  const from =
    chosen === undefined ? columns.find(({ role }) => role === 'cluster')?.name : chosen || undefined;
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
      isBusy={documents.isPending}
      align="start"
      onName={(name, done) =>
        void documents.create(
          { name, ...(from !== undefined && { from }) },
          {
            done: (annotation) => {
              onCreated(annotation);
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
        onChoose={setFrom}
      />
    </NamePopover>
  );
}
