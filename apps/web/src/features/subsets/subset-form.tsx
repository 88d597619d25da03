import { type Annotation, type DatasetAnalysis, clusterField, columnTitle } from '@cellfolio/contract';
import { type ReactNode, useId } from 'react';
import { CheckList, CheckOption } from '@/components/check-list.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input, Label } from '@/components/ui/form.tsx';
import type { GeneIndex } from '@/features/genes/index.ts';
import { useAnnotations } from '@/features/annotations/index.ts';
import { namesText, useCategoryNames } from '@/features/category-displays/index.ts';
import { plural, formatCount } from '@/lib/format.ts';
import { Checkbox } from '@/components/ui/checkbox.tsx';
import {
  type FilterConfig,
  type FilterType,
  type SubsetDraft,
  filterTypes,
  noSelection,
} from './filter-config.ts';
import { PartEffect, WholeEffect } from './filter-effect.tsx';
import { maxSubsetNameLength } from './filter-payload.ts';
import { GeneFilterFields, SignatureFilterFields } from './gene-filter-fields.tsx';
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
    return (
      <div className="text-muted text-[13px]">
        <p>No cell types available for this dataset</p>
        <p>Tick Metadata to filter by clusters or by labels of your own.</p>
      </div>
    );
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

interface MetadataField {
  name: string;
  values: readonly string[];
  /** Cells per value; absent if the server does not count them. */
  counts?: readonly number[] | undefined;
}

interface MetadataFilterFieldsProps {
  filename: string;
  fields: readonly MetadataField[];
  cellCount: number;
  value: FilterConfig['metadataFilter'];
  onChange: (value: FilterConfig['metadataFilter']) => void;
  /** Field whose values each get a subset; absent if this is not offered. */
  each?: { field: string | null; onChange: (field: string | null) => void } | undefined;
}

function MetadataFilterFields({
  filename,
  fields,
  cellCount,
  value,
  onChange,
  each,
}: MetadataFilterFieldsProps) {
  const id = useId();
  const { ofField } = useCategoryNames(filename);
  const keptValues = new Map(Object.entries(value.patientMetadata));
  const names = fields.map(({ name }) => name);
  if (names.length === 0) {
    return (
      <p className="text-muted text-[13px]">
        This dataset has no metadata fields. Label cells under Annotations to filter by your own.
      </p>
    );
  }
  const toggle = (field: string, on: boolean) =>
    onChange({
      ...value,
      selectedFields: names.filter((name) => (name === field ? on : value.selectedFields.includes(name))),
    });
  const setValues = (field: string, values: string[]) => {
    onChange({ ...value, patientMetadata: Object.fromEntries(new Map(keptValues).set(field, values)) });
  };
  const partBy = (field: string, values: readonly string[], on: boolean) => {
    each?.onChange(on ? field : null);
    // Nothing ticked means all of them here.
    if (on && (keptValues.get(field) ?? []).length === 0) setValues(field, [...values]);
  };
  return (
    <ul aria-label="Metadata fields" className="flex flex-col gap-1.5">
      {fields.map(({ name: field, values, counts }) => {
        const on = value.selectedFields.includes(field);
        const missing = counts === undefined ? 0 : cellCount - counts.reduce((sum, cells) => sum + cells, 0);
        return (
          <li key={field} className="flex flex-col gap-1.5">
            <div className="flex items-center gap-2 text-[13px]">
              <Checkbox
                id={`${id}-${field}`}
                checked={on}
                onCheckedChange={(checked) => toggle(field, checked === true)}
              />
              <label htmlFor={`${id}-${field}`} className="min-w-0 truncate" title={field}>
                {columnTitle(field)}
              </label>
            </div>
            {on && (
              <div className="pl-6">
                <CheckList
                  legend={`Values of ${columnTitle(field)}`}
                  items={values.map((name, place) => ({
                    value: name,
                    label: ofField(field, name),
                    title: namesText(ofField(field, name), name),
                    count: counts?.[place],
                  }))}
                  checked={keptValues.get(field) ?? []}
                  onChange={(values) => setValues(field, values)}
                >
                  {missing > 0 && (
                    <p className="text-muted text-xs">
                      {`Missing (${formatCount(missing)}): cells without a value, always excluded by this filter.`}
                    </p>
                  )}
                  {each !== undefined && values.length > 1 && (
                    <div className="flex items-center gap-2 text-[13px]">
                      <Checkbox
                        id={`${id}-each-${field}`}
                        checked={each.field === field}
                        onCheckedChange={(checked) => partBy(field, values, checked === true)}
                      />
                      <label htmlFor={`${id}-each-${field}`}>A subset for each value</label>
                    </div>
                  )}
                </CheckList>
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
