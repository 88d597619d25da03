import type { MapColumnList, SubclusteringLinks } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { CornerLeftUp } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '@/components/ui/button.tsx';
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/components/ui/dialog.tsx';
import { annotationsOf } from '@/features/annotations/index.ts';
import { useDocuments } from '@/features/documents/index.ts';
import { useCategoryNames } from '@/features/category-displays/index.ts';
import { ApplyLabels } from '@/features/cell-types/index.ts';
import { ColumnField, columnListQuery, titleIn, valuesQuery } from '@/features/map/index.ts';
import { nameList, plural } from '@/lib/format.ts';
import { freeName } from '@/lib/free-name.ts';
import { useServices } from '@/lib/services.ts';
import { datasetPath, nameInParent } from './part-of.tsx';
import { useSubclusterings } from './subclustering-calls.ts';

interface BringLabelsProps {
  filename: string;
  name: string;
  version: string;
  /** Column that is offered first. */
  clusters: string | undefined;
}

/** Offered in a subclustering while its parent is there. */
export function BringLabels(props: BringLabelsProps) {
  const part = useSubclusterings(props.filename).data?.part_of;
  const [open, setOpen] = useState(false);
  if (!part || part.state === 'removed') return null;
  return (
    <>
      <Button variant="secondary" size="sm" title={`To ${part.name}`} onClick={() => setOpen(true)}>
        <CornerLeftUp aria-hidden />
        Bring labels to parent...
      </Button>
      {open && <BringLabelsDialog {...props} parent={part} onClose={() => setOpen(false)} />}
    </>
  );
}

interface BringLabelsDialogProps extends BringLabelsProps {
  parent: NonNullable<SubclusteringLinks['part_of']>;
  onClose: () => void;
}

const none: MapColumnList['obs'] = [];
const maxLabelName = 100;

function BringLabelsDialog({ filename, name, version, clusters, parent, onClose }: BringLabelsDialogProps) {
  const { api } = useServices();
  const navigate = useNavigate();
  const dataset = { filename, version };
  const columns = useQuery(columnListQuery(api, dataset)).data?.obs ?? none;
  const [chosen, setChosen] = useState('');
  const column = chosen || (columns.find(({ own }) => own === true)?.name ?? clusters ?? '');
  const shortName = nameInParent(name, parent.name);
  const groups = useBroughtGroups({ filename, name: shortName, version }, column);
  const parentVersion = useDocuments(annotationsOf(parent.dataset_filename)).list.data?.version ?? '';
  const target = { filename: parent.dataset_filename, version: parentVersion, name: parent.name };
  const parentColumns = useQuery({ ...columnListQuery(api, target), enabled: parentVersion !== '' }).data
    ?.obs;
  const parentTitles = new Set(
    parentColumns?.map((parentColumn) => titleIn(parentColumns, parentColumn.name)),
  );
  const [from, setFrom] = useState('');
  const open = (annotation: string) => {
    const path = new URL(datasetPath(target.filename, target.name), location.origin);
    path.searchParams.set('map', JSON.stringify({ cards: [{ column: annotation }] }));
    void navigate(`${path.pathname}${path.search}`);
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent className="max-w-2xl">
        <DialogTitle className="pr-8 wrap-anywhere">Bring Labels to {parent.name}</DialogTitle>
        <DialogDescription className="text-[13px]">
          The groups of a column become labels of the same cells there, matched by barcode. In an existing
          annotation, other cells keep their labels.
        </DialogDescription>
        <div className="grid gap-4 sm:grid-cols-2">
          <ColumnField
            label="Labels"
            columns={columns}
            chosen={column}
            none="Choose a column"
            required
            onChoose={setChosen}
          />
          <ColumnField
            label="Other cells, in a new annotation"
            columns={parentColumns ?? none}
            chosen={from}
            none="No label"
            onChoose={setFrom}
          />
        </div>
        {groups.length > 0 && (
          <p className="text-muted text-xs wrap-anywhere">
            {plural(groups.length, 'label')}:{' '}
            {nameList(
              groups.map(({ group }) => group),
              12,
            )}
          </p>
        )}
        <ApplyLabels
          dataset={target}
          part={filename}
          from={from}
          column={column}
          suggestion={freeName(`${titleIn(columns, column)} of ${shortName}`, parentTitles, maxLabelName)}
          subset={undefined}
          groups={parentVersion === '' ? [] : groups}
          onApplied={onClose}
          onOpen={open}
        />
      </DialogContent>
    </Dialog>
  );
}

/** A bare number says nothing beside the clusters of the parent: it gets the name of its dataset. */
function useBroughtGroups({ filename, name, version }: Omit<BringLabelsProps, 'clusters'>, column: string) {
  const { api } = useServices();
  const names = useCategoryNames(filename);
  const source = column === '' ? undefined : ({ from: 'obs', name: column } as const);
  const { data } = useQuery(valuesQuery(api, { filename, version }, source, undefined));
  if (data?.kind !== 'categories') return [];
  return data.categories
    .filter((_, code) => data.counts[code]! > 0)
    .map((of) => {
      const label = names.ofColumn(column, of);
      return { of, group: (/^\d*$/.test(label) ? `${name} ${label}` : label).trim().slice(0, 200) };
    });
}
