import type { DatasetAnalysis } from '@cellfolio/contract';
import { markerSets } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { List } from 'lucide-react';
import { Button } from '@/components/ui/button.tsx';
import { ListField, NumberFields } from '@/features/analyses/index.ts';
import { geneListsQuery } from '@/features/gene-lists/index.ts';
import { GroupsField } from '@/features/markers/index.ts';
import { plural } from '@/lib/format.ts';
import { useServices } from '@/lib/services.ts';
import { type CellTypeForm, cellTypeNumbers, ownMarkersProblem, withGeneLists } from './cell-type-form.ts';

interface CellTypeFieldsProps {
  analysis: DatasetAnalysis;
  form: CellTypeForm;
  onChange: (change: Partial<CellTypeForm>) => void;
}

export function CellTypeFields({ analysis, form, onChange }: CellTypeFieldsProps) {
  return (
    <>
      <GroupsField analysis={analysis} form={form} onChange={onChange} />
      <MarkersField analysis={analysis} form={form} onChange={onChange} />
      <NumberFields numbers={cellTypeNumbers} form={form} onChange={onChange} />
      <p className="text-muted text-xs">
        Each group is compared with the average of all groups. It is Unclear if the best type does not pass
        both tests (linear model and over-representation among the top genes), if too few of its markers are
        expressed, or if the next type is nearly as good. No cell is labelled until you apply the labels.
      </p>
    </>
  );
}

function MarkersField({ analysis, form, onChange }: CellTypeFieldsProps) {
  const { api } = useServices();
  const offered = useQuery({
    queryKey: ['cell-type-markers'],
    queryFn: ({ signal }) => api({ path: '/api/cell-type-markers', answer: markerSets, signal }),
    staleTime: 3_600_000,
    select: ({ sets }) => sets.map(({ type_count: count, ...set }) => ({ ...set, count })),
  });
  return (
    <ListField
      species={analysis.species}
      label="Markers"
      entry="type"
      lists="sets of markers"
      offered={offered}
      value={form.markers}
      onChange={(markers) => onChange({ markers })}
      own={{
        label: 'List of markers',
        fileLabel: 'File of markers',
        about: 'Gene names as in the dataset; optional columns: weight, lineage, reference.',
        placeholder: 'cell_type,gene\nB cell,MS4A1 CD79A CD19\nNK cell,NCAM1 KLRD1 GNLY',
        text: form.ownMarkers,
        onText: (ownMarkers) => onChange({ ownMarkers }),
        problem: ownMarkersProblem(form),
        children: (
          <AddGeneLists onAdd={(lists) => onChange({ ownMarkers: withGeneLists(form.ownMarkers, lists) })} />
        ),
      }}
    />
  );
}

interface AddGeneListsProps {
  onAdd: (lists: readonly { readonly name: string; readonly genes: readonly string[] }[]) => void;
}

function AddGeneLists({ onAdd }: AddGeneListsProps) {
  const { api } = useServices();
  const lists = useQuery(geneListsQuery(api)).data ?? [];
  if (lists.length === 0) return null;
  return (
    <Button
      variant="secondary"
      size="sm"
      title="Each gene list becomes a type; edit the list afterwards."
      onClick={() => onAdd(lists)}
    >
      <List aria-hidden />
      {`Add my ${plural(lists.length, 'gene list')}`}
    </Button>
  );
}
