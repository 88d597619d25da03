import { createHash } from 'node:crypto';
import type { CategoryDisplay, FigureSource, filterRequest } from '@cellfolio/contract';
import { ColumnFormatError, decodeCells } from '@cellfolio/columns';
import { type CellMask, countText, type ResultCaution } from '@cellfolio/model';
import type { SelectedCells } from '@cellfolio/model/names';
import type { DatasetManifest } from '@cellfolio/store';
import {
  InvalidPercentiles,
  type PercentileRange,
  type PercentilesAmong,
  checkPercentiles,
} from '@cellfolio/analysis';
import type { z } from 'zod';
import type { CallContext } from '../../runtime/compute/analysis-work.ts';
import type { UserColumn } from '../../runtime/compute/own-columns.ts';
import type { DatasetRef } from '../../runtime/compute/task.ts';
import { ApiFailure } from '../../runtime/api-failure.ts';
import type { Owner } from '../../runtime/owners.ts';

/** The cells of a call: a dataset at one version, and the chosen part of it. */
export interface Selection {
  manifest: DatasetManifest;
  /** Absent for all cells. */
  subset: SubsetFilter | undefined;
  own?: readonly UserColumn[] | undefined;
  displays?: readonly CategoryDisplay[] | undefined;
  /** Warnings of the filters that chose the cells; they stand at each result, and in its file. */
  cautions?: readonly ResultCaution[] | undefined;
}

export interface UserColumns {
  /** The user's columns named in the request, in their current state. */
  named(owner: Owner, dataset: DatasetRef, request: unknown): Promise<readonly UserColumn[]>;
  /** Whether the user has a column of this name only on another version of the dataset. */
  isOfOtherVersion(owner: Owner, dataset: DatasetRef, name: string): Promise<boolean>;
  all(owner: Owner, dataset: DatasetRef): Promise<readonly UserColumn[]>;
  /**
   * The columns that a figure was drawn from, in their state at the time. Throws ApiFailure 404 when one is no longer
   * stored, or is not the user's.
   */
  storedColumns(
    owner: Owner,
    dataset: DatasetRef,
    columns: FigureSource['annotations'],
  ): Promise<readonly UserColumn[]>;
}

export interface Displays {
  /** All displays of the user, in their current state. */
  current(owner: Owner, dataset: Pick<DatasetRef, 'id'>): Promise<readonly CategoryDisplay[]>;
  /**
   * The displays that a figure was drawn with, in their state at the time. Throws ApiFailure 404 when one is no longer
   * stored, or is not the user's.
   */
  storedDisplays(
    owner: Owner,
    dataset: Pick<DatasetRef, 'id'>,
    displays: FigureSource['displays'],
  ): Promise<readonly CategoryDisplay[]>;
}

/** Source of a selection's cells; undefined stands for all. Throws ApiFailure. */
export interface MaskSource {
  maskOf(selection: Selection, call: CallContext): Promise<CellMask | undefined>;
}

/** User key for public figures and maps: all visitors count as one user of the compute threads. */
export const visitors = (): readonly string[] => ['visitors'];

/**
 * Bit mask of the cells selected on the map of a dataset, by place. `field` is the position of the cells in the
 * request. Throws ApiFailure 409 when they are of another version of it, 400 when the text names no cells of it.
 */
export function placesOf(
  { version, places }: SelectedCells,
  manifest: Pick<DatasetManifest, 'version' | 'cellCount'>,
  field: string,
): Uint8Array {
  if (version !== manifest.version) {
    throw new ApiFailure(
      409,
      'selection_of_other_version',
      'The cells were selected on another version of the dataset. Select them again.',
      { details: [{ field: `${field}.version`, problem: 'is not the version of the dataset' }] },
    );
  }
  try {
    return decodeCells(places, manifest.cellCount);
  } catch (cause) {
    if (!(cause instanceof ColumnFormatError)) throw cause;
    const problem = `is no selection of the ${countText(manifest.cellCount)} cells of the dataset`;
    throw new ApiFailure(400, 'invalid_selection', `The text of ${field}.places ${problem}.`, {
      details: [{ field: `${field}.places`, problem }],
      cause,
    });
  }
}

export function datasetOf({ manifest, own }: Selection): DatasetRef {
  return { id: manifest.id, version: manifest.version, ...(own && { own }) };
}

/** Visible cache key of the cells, and of the requested own columns of the caller. */
export function keyOfSelection({ manifest, subset, own = [] }: Selection): string {
  const columns = own.map(({ id, revision, name }) => `${id}/${revision} ${JSON.stringify(name)}`);
  return `${manifest.id}@${manifest.version}|${subset ? keyOfFilter(subset) : ''}|${columns.join(' ')}`;
}

/** Matches the cache keys of a dataset, of any version: all begin as `keyOfSelection` does. */
export function keysOfDataset(datasetId: string): (key: string) => boolean {
  return (key) => key.startsWith(`${datasetId}@`);
}

export type GeneRule = 'positive' | 'negative' | GenePercentiles;

export interface GenePercentiles extends PercentileRange {
  among: PercentilesAmong;
}

/**
 * A filter as stored with the active dataset: the request without the parts that are switched off. Contains only names,
 * so that any process can build the mask from it.
 */
export type SubsetFilter = z.output<typeof filterRequest>;

const everything = 'Default';

/**
 * The filter of a request, or undefined when it chooses all cells: by the name Default, or with every part switched
 * off. Throws ApiFailure 400 when a part that is switched on is incomplete.
 */
export function subsetFilter(request: SubsetFilter): SubsetFilter | undefined {
  if (request.subset_group_name === everything) return undefined;
  const { gene_filter, signature_filter, cell_type_filter, patient_metadata_filter } = request;
  const { cells_filter } = request;
  const isOn = [gene_filter, signature_filter, cell_type_filter, patient_metadata_filter, cells_filter];
  if (!isOn.some(Boolean)) return undefined;
  return {
    subset_group_name: request.subset_group_name,
    gene_filter,
    signature_filter,
    cell_type_filter,
    patient_metadata_filter,
    cells_filter,
    ...(gene_filter && { gene: genePart(request.gene) }),
    ...(signature_filter && { signature: signaturePart(request.signature) }),
    ...(cell_type_filter && { cell_type: cellTypePart(request.cell_type) }),
    ...(patient_metadata_filter && { patient_metadata: metadataPart(request.patient_metadata) }),
    ...(cells_filter && { cells: cellsPart(request.cells) }),
    ...(request.kept && { kept: request.kept }),
  };
}

/** Equal for filters that keep the same cells, whatever their names. */
function keyOfFilter(filter: SubsetFilter): string {
  const { gene, signature, cell_type: cellTypes, patient_metadata: metadata, cells } = filter;
  return JSON.stringify([
    gene && [geneOf(filter), ruleOf(filter)],
    signature && [signature.genes, rangeOf(signature)],
    cellTypes,
    metadata && Object.entries(metadata),
    cells && keyOfCells(cells),
  ]);
}

/** Digest of cells whose text may have 400,000 characters. */
export function keyOfCells({ version, places }: SelectedCells): string {
  return `${version} ${createHash('sha256').update(places).digest('base64url')}`;
}

/** For keys by `JSON.stringify`: replaces selected cells by their key, at any depth. */
export function withShortCells(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { version, places } = value as Partial<SelectedCells>;
  return typeof version === 'string' && typeof places === 'string' ? keyOfCells({ version, places }) : value;
}

export function geneOf({ gene }: SubsetFilter): string {
  const name = gene?.name;
  return (Array.isArray(name) ? name[0] : name) ?? '';
}

export function ruleOf({ gene }: SubsetFilter): GeneRule {
  const presence = gene?.presence;
  if (presence === true || presence === 'true' || presence === 'positive') return 'positive';
  if (presence === 'negative') return 'negative';
  return { ...rangeOf(gene), among: gene?.among ?? 'all' };
}

/** The percentiles of a part; NaN, which `subsetFilter` refuses, for a missing one. */
export function rangeOf(
  part:
    | { min_percentile?: number | null | undefined; max_percentile?: number | null | undefined }
    | null
    | undefined,
): PercentileRange {
  return { min: part?.min_percentile ?? Number.NaN, max: part?.max_percentile ?? Number.NaN };
}

function genePart(gene: SubsetFilter['gene']): NonNullable<SubsetFilter['gene']> {
  const name = (Array.isArray(gene?.name) ? gene.name[0] : gene?.name) ?? '';
  if (!gene || name === '') throw incomplete('gene.name', 'Name the gene to filter by.');
  const rule = ruleOf({ gene } as SubsetFilter);
  if (typeof rule === 'string') return { name, presence: rule };
  checkRange('gene', rule);
  return { name, presence: 'percentile', ...percentilesPart(rule) };
}

/** `all` is left out, so that a filter from before the choice existed is the same filter. */
function percentilesPart({ min, max, among }: GenePercentiles) {
  return {
    min_percentile: min,
    max_percentile: max,
    ...(among === 'expressing' && { among }),
  };
}

function signaturePart(signature: SubsetFilter['signature']): NonNullable<SubsetFilter['signature']> {
  if (!signature || signature.genes.length === 0) {
    throw incomplete('signature.genes', 'Name at least one gene of the signature.');
  }
  const range = rangeOf(signature);
  checkRange('signature', range);
  return {
    genes: signature.genes,
    score_name: signature.score_name ?? '',
    min_percentile: range.min,
    max_percentile: range.max,
  };
}

function cellTypePart(cellTypes: SubsetFilter['cell_type']): string[] {
  if (!cellTypes || cellTypes.length === 0) throw incomplete('cell_type', 'Choose at least one cell type.');
  return [...new Set(cellTypes)].sort();
}

function metadataPart(metadata: SubsetFilter['patient_metadata']): Record<string, string[]> {
  const fields = Object.entries(metadata ?? {}).filter(([, values]) => values.length > 0);
  if (fields.length === 0) {
    throw incomplete('patient_metadata', 'Choose at least one value of a metadata field.');
  }
  return Object.fromEntries(
    fields
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([field, values]) => [field, [...new Set(values)].sort()]),
  );
}

function cellsPart(cells: SubsetFilter['cells']): SelectedCells {
  if (!cells || cells.places === '') throw incomplete('cells.places', 'Select at least one cell on the map.');
  return cells;
}

function checkRange(part: string, range: PercentileRange): void {
  try {
    checkPercentiles(range);
  } catch (error) {
    if (!(error instanceof InvalidPercentiles)) throw error;
    throw new ApiFailure(400, 'invalid_percentiles', error.message, {
      details: [{ field: `${part}.min_percentile`, problem: error.message }],
      cause: error,
    });
  }
}

function incomplete(field: string, message: string): ApiFailure {
  return new ApiFailure(400, 'incomplete_filter', message, { details: [{ field, problem: message }] });
}
