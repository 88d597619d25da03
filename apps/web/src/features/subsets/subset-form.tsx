import type { Annotation, DatasetAnalysis } from '@cellfolio/contract';
import { clusterField } from '@cellfolio/contract';
import type { ReactNode } from 'react';
import { useId } from 'react';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useAnnotations } from '@/features/annotations/index.ts';
import { namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { plural } from '@/lib/format.ts';
import type { FilterConfig, FilterType, SubsetDraft } from './filter-config.ts';
import { filterTypes, noSelection } from './filter-config.ts';
import { PartEffect, WholeEffect } from './filter-effect.tsx';
import { maxSubsetNameLength } from './filter-payload.ts';
import { GeneFilterFields, SignatureFilterFields } from './gene-filter-fields.tsx';
import type { MetadataField } from './metadata-filter-fields.tsx';
import { MetadataFilterFields } from './metadata-filter-fields.tsx';
import { selectionText } from './saved-subsets.ts';
import type { Preview } from './use-filter-preview.ts';

interface SubsetFormProps {
  analysis: DatasetAnalysis;
  index: GeneIndex;
  draft: SubsetDraft;
  preview: Preview | null;
  onChange: (draft: SubsetDraft) => void;
  each?: { field: string | null; onChange: (field: string | null) => void } | undefined;
}

const titles: Record<FilterType, string> = {
  gene: 'Gene',
  signature: 'Signature',
  celltype: 'Cell Type',
  metadata: 'Metadata',
  cells: 'Map Selection',
};

export function SubsetForm({ analysis, index, draft, preview, onChange, each }: SubsetFormProps) {
  const id = useId();
  const { config } = draft;
  const annotations = useAnnotations(analysis.dataset_filename, analysis.version);
  const set = (part: Partial<FilterConfig>) => onChange({ ...draft, config: { ...config, ...part } });
  const toggle = (type: FilterType, on: boolean) =>
    set({
      activeFilterTypes: filterTypes.filter((other) =>
        other === type ? on : config.activeFilterTypes.includes(other),
      ),
    });
  const fields: Record<FilterType, ReactNode> = {
    gene: (
      <GeneFilterFields
        index={index}
        value={config.geneFilter}
        onChange={(geneFilter) => set({ geneFilter })}
      />
    ),
    signature: (
      <SignatureFilterFields
        index={index}
        value={config.signatureFilter}
        datasetCells={analysis.cell_count}
        onChange={(signatureFilter) => set({ signatureFilter })}
      />
    ),
    celltype: (
      <CellTypeFilterFields
        analysis={analysis}
        checked={config.cellTypeFilter.cellTypes}
        onChange={(cellTypes) => set({ cellTypeFilter: { cellTypes } })}
      />
    ),
    metadata: (
      <MetadataFilterFields
        filename={analysis.dataset_filename}
        fields={[...metadataFieldsOf(analysis), ...annotations.map(annotationField)]}
        cellCount={analysis.cell_count}
        value={config.metadataFilter}
        onChange={(metadataFilter) => set({ metadataFilter })}
        each={each}
      />
    ),
    cells: (
      <MapSelectionFields
        version={analysis.version}
        config={config}
        onRemove={() =>
          set({
            activeFilterTypes: config.activeFilterTypes.filter((type) => type !== 'cells'),
            cellsFilter: noSelection,
          })
        }
      />
    ),
  };
  // Cells are selected on the map, not here.
  const offered = filterTypes.filter((type) => type !== 'cells' || config.cellsFilter.places !== '');
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-[13px] font-medium">Filter types</legend>
        <div className="grid grid-cols-2 gap-x-3 gap-y-1.5">
          {offered.map((type) => (
            <CheckOption
              key={type}
              checked={config.activeFilterTypes.includes(type)}
              onChange={(on) => toggle(type, on)}
            >
              {titles[type]}
            </CheckOption>
          ))}
        </div>
        <p className="text-muted mt-1.5 text-xs">Cells must pass every ticked filter.</p>
      </fieldset>
      {config.activeFilterTypes.map((type) => (
        <section key={type} aria-label={`${titles[type]} filter`} className="rounded-md border p-3">
          <h4 className="text-muted mb-2 text-xs font-medium">{titles[type]} filter</h4>
          {fields[type]}
          <PartEffect type={type} config={config} preview={preview} />
        </section>
      ))}
      <WholeEffect config={config} preview={preview} />
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-name`} className="text-[13px]">
          Subset Group Name
        </Label>
        <Input
          id={`${id}-name`}
          maxLength={maxSubsetNameLength}
          autoComplete="off"
          placeholder="T cells, untreated"
          value={draft.name}
          onChange={(event) => onChange({ ...draft, name: event.target.value })}
        />
      </div>
    </div>
  );
}

interface MapSelectionFieldsProps {
  config: FilterConfig;
  version: string;
  onRemove: () => void;
}

function MapSelectionFields({ config, version, onRemove }: MapSelectionFieldsProps) {
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="min-w-0 text-[13px] tabular-nums">{selectionText(config, version)}</p>
      <Button variant="secondary" size="xs" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

interface CellTypeFilterFieldsProps {
  analysis: DatasetAnalysis;
  checked: readonly string[];
  onChange: (cellTypes: string[]) => void;
}

function CellTypeFilterFields({ analysis, checked, onChange }: CellTypeFilterFieldsProps) {
  const { cell_types: names, unlabelled_cells: unlabelled } = analysis;
  const { cellType } = useCategoryNames(analysis.dataset_filename);
  if (names.length === 0) {
    return <p className="text-muted text-[13px]">No cell types available for this dataset</p>;
  }
  const counts = new Map(Object.entries(analysis.cell_type_counts));
  return (
    <CheckList
      legend="Cell types to keep"
      items={names.map((name) => ({
        value: name,
        label: cellType(name),
        title: namesText(cellType(name), name),
        count: counts.get(name),
      }))}
      checked={checked}
      onChange={onChange}
    >
      {unlabelled > 0 && (
        <p className="text-muted text-xs">
          {`${plural(unlabelled, 'cell')} without a cell type: always excluded by this filter.`}
        </p>
      )}
    </CheckList>
  );
}

/** Annotation groups are filtered by the annotation's name, which no column has. */
function annotationField({ name, groups }: Annotation): MetadataField {
  return { name, values: groups.map((group) => group.name), counts: groups.map(({ cells }) => cells) };
}

/** Without cell types, clusters are listed as a metadata field, so that they can be filtered too. */
function metadataFieldsOf(analysis: DatasetAnalysis): MetadataField[] {
  const { leiden_clusters: clusters, leiden_cluster_counts: clusterCounts } = analysis;
  const counted = new Map(Object.entries(analysis.patient_metadata_counts ?? {}));
  const fields = Object.entries(analysis.patient_metadata).map(([name, values]): MetadataField => ({
    name,
    values,
    counts: counted.get(name),
  }));
  if (analysis.cell_types.length > 0 || clusters.length === 0) return fields;
  const ofCluster = new Map(Object.entries(clusterCounts));
  const counts = clusters.map((cluster) => ofCluster.get(cluster) ?? 0);
  return [{ name: clusterField, values: clusters, counts }, ...fields];
}
