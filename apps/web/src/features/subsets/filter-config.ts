import { type FilterRequest, keptCells } from '@cellfolio/contract';

export const filterTypes = ['gene', 'signature', 'celltype', 'metadata', 'cells'] as const;
export type FilterType = (typeof filterTypes)[number];

export type GeneFilterType = 'positive' | 'negative' | 'percentile' | '';

/** Cells whose values the percentiles of a gene are computed on: all cells, zeros included, or those above zero. */
export type PercentilesAmong = 'all' | 'expressing';

export interface PercentileRange {
  minPercentile: number;
  maxPercentile: number;
}

export interface MapSelection {
  version: string;
  /** Encoded as in a filter request; empty for none. */
  places: string;
  /** Number of cells; `null` if unknown, as for a filter from an address. */
  count: number | null;
  /** Definition of the cells in words; absent for cells selected on the map. */
  of?: string;
}

/** Filters of a subset, as stored in the column `filter_config` of `subset_metadata`. */
export interface FilterConfig {
  activeFilterTypes: FilterType[];
  /** Only the first gene is used. */
  geneFilter: { genes: string[]; filterType: GeneFilterType; among: PercentilesAmong } & PercentileRange;
  signatureFilter: { genes: string[]; signatureName: string } & PercentileRange;
  cellTypeFilter: { cellTypes: string[] };
  metadataFilter: { selectedFields: string[]; patientMetadata: Record<string, string[]> };
  /** The table has only the count here; the cells are stored once, in the `api_payload`. */
  cellsFilter: MapSelection;
  /** Kept for other clients of the table; nothing here sets it. */
  cellStateFilter: { field: string; value: string; threshold: number };
  /** How many cells it kept when it was saved, of which versions; in the table a part of the `api_payload`. */
  kept?: FilterRequest['kept'];
  api_payload?: FilterRequest;
}

export interface SubsetDraft {
  name: string;
  config: FilterConfig;
  percentile: number;
}

const defaultRange: PercentileRange = { minPercentile: 1, maxPercentile: 50 };
export const defaultPercentile = 10;
/** Limits of a percentile range: each end on its own side of the middle. */
export const percentileLimits = { min: [1, 50], max: [50, 99], step: 0.1 } as const;

export const noSelection: MapSelection = { version: '', places: '', count: null };

export function emptyDraft(): SubsetDraft {
  return { name: '', config: emptyConfig(), percentile: defaultPercentile };
}

export function emptyConfig(): FilterConfig {
  return {
    activeFilterTypes: [],
    // Percentiles of a gene that most cells do not express are percentiles of zeros.
    geneFilter: { genes: [], filterType: 'positive', among: 'all', ...defaultRange },
    signatureFilter: { genes: [], signatureName: '', ...defaultRange },
    cellTypeFilter: { cellTypes: [] },
    metadataFilter: { selectedFields: [], patientMetadata: {} },
    cellsFilter: noSelection,
    cellStateFilter: { field: '', value: '', threshold: 0 },
  };
}

/**
 * Reads a `filter_config` of the table from any writer: a missing field or one of the wrong type gets the value of an
 * empty form. A gene filter type of false becomes empty, true becomes positive. Returns undefined if there is no
 * configuration.
 */
export function readFilterConfig(stored: unknown): FilterConfig | undefined {
  if (!isObject(stored)) return undefined;
  const empty = emptyConfig();
  const gene = part(stored, 'geneFilter');
  const signature = part(stored, 'signatureFilter');
  const metadata = part(stored, 'metadataFilter');
  const cellState = part(stored, 'cellStateFilter');
  const cells = { ...part(part(stored, 'api_payload'), 'cells'), ...part(stored, 'cellsFilter') };
  const types = texts(stored['activeFilterTypes']);
  return {
    activeFilterTypes: filterTypes.filter((type) => types.includes(type)),
    geneFilter: {
      genes: texts(gene['genes']).slice(0, 1),
      filterType: geneFilterType(gene['filterType']),
      among: gene['among'] === 'expressing' ? 'expressing' : 'all',
      ...range(gene),
    },
    signatureFilter: {
      genes: texts(signature['genes']),
      signatureName: text(signature['signatureName']),
      ...range(signature),
    },
    cellTypeFilter: { cellTypes: texts(part(stored, 'cellTypeFilter')['cellTypes']) },
    metadataFilter: {
      selectedFields: texts(metadata['selectedFields']),
      patientMetadata: valuesByField(metadata['patientMetadata']),
    },
    cellsFilter: {
      version: text(cells['version']),
      places: text(cells['places']),
      count: number(cells['count']) ?? null,
      ...(text(cells['of']) !== '' && { of: text(cells['of']) }),
    },
    ...readKept(part(stored, 'api_payload')['kept']),
    cellStateFilter: {
      field: text(cellState['field']),
      value: text(cellState['value']),
      threshold: number(cellState['threshold']) ?? empty.cellStateFilter.threshold,
    },
  };
}

function readKept(stored: unknown): Pick<FilterConfig, 'kept'> {
  const parsedCells = keptCells.safeParse(stored).data;
  return parsedCells === undefined ? {} : { kept: parsedCells };
}

interface LegacySubset {
  /** Comma-separated. */
  gene_symbol: unknown;
  percentile: unknown;
  selected_cell_types: unknown;
}

/**
 * Converts an older subset to a gene filter, a cell-type filter and a percentile. It kept cells from the gene's
 * percentile upwards, so the range begins there and ends at the highest value that the form takes.
 */
export function legacyConfig(row: LegacySubset): { config: FilterConfig; percentile: number } {
  const genes = text(row.gene_symbol)
    .split(',')
    .map((gene) => gene.trim().toUpperCase())
    .filter((gene) => gene !== '');
  const cellTypes = texts(row.selected_cell_types);
  const percentile = number(row.percentile) ?? defaultPercentile;
  const active: FilterType[] = [];
  if (genes.length > 0) active.push('gene');
  if (cellTypes.length > 0) active.push('celltype');
  const empty = emptyConfig();
  return {
    percentile,
    config: {
      ...empty,
      activeFilterTypes: active,
      geneFilter: {
        genes: genes.slice(0, 1),
        filterType: genes.length > 0 ? 'percentile' : '',
        among: 'all',
        minPercentile: Math.min(Math.max(percentile, 1), 50),
        maxPercentile: genes.length > 0 ? 99 : defaultRange.maxPercentile,
      },
      cellTypeFilter: { cellTypes },
    },
  };
}

export function readDraft(stored: unknown): SubsetDraft | undefined {
  if (!isObject(stored)) return undefined;
  const config = readFilterConfig(stored['config']);
  if (config === undefined) return undefined;
  return {
    name: text(stored['name']),
    config,
    percentile: number(stored['percentile']) ?? defaultPercentile,
  };
}

function geneFilterType(value: unknown): GeneFilterType {
  if (value === true || value === 'true') return 'positive';
  return value === 'positive' || value === 'negative' || value === 'percentile' ? value : '';
}

function range(value: Record<string, unknown>): PercentileRange {
  return {
    minPercentile: number(value['minPercentile']) ?? defaultRange.minPercentile,
    maxPercentile: number(value['maxPercentile']) ?? defaultRange.maxPercentile,
  };
}

function valuesByField(value: unknown): Record<string, string[]> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([field, values]) => [field, texts(values)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function part(config: Record<string, unknown>, name: string): Record<string, unknown> {
  // name-dictionary: the parts of a configuration
  const value = config[name];
  return isObject(value) ? value : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
