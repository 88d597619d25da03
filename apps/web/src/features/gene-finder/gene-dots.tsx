import type { GeneSummary } from '@cellfolio/contract';
import { contentAddress } from '@cellfolio/plots/content';
import { Link } from 'react-router';
import { cn } from '@/lib/cn.ts';
import { counted } from '@/lib/format.ts';
import { Table, TableBody, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';

type Dataset = GeneSummary['datasets'][number];
type CellType = Dataset['cell_types'][number];

/** Columns of the plot. */
const maxColumns = 60;
/** The ramp of the figures, from the colour next to the ground to the one that stands out from it. */
const dotColours =
  '[--dot-mid:var(--ramp-mid)] [--dot-low:var(--ramp-low)] [--dot-high:var(--ramp-high)] dark:[--dot-low:var(--ramp-high)] dark:[--dot-high:var(--ramp-low)]';
/** Half the side of a dot's square, in CSS pixels; the dot of all cells fills it. */
const radius = 11;

/** Cell types of the datasets, those of most datasets first. */
export function columnsOf(datasets: readonly Dataset[]): { shown: string[]; leftOut: number } {
  const counts = new Map<string, number>();
  for (const { cell_types } of datasets) {
    for (const { name } of cell_types) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].sort(([a, m], [b, n]) => n - m || a.localeCompare(b)).map(([name]) => name);
  return { shown: names.slice(0, maxColumns), leftOut: Math.max(0, names.length - maxColumns) };
}

/** Address of the explorer on a dataset with the gene drawn. */
export function explorerAddress({ dataset_filename, symbol }: Dataset): string {
  const view = contentAddress({ kind: 'gene-umap', gene: symbol });
  return `/explorer?${new URLSearchParams({ dataset: dataset_filename, ...(view && { view }) })}`;
}

/** Datasets by cell type: the area of a dot is the share of expressing cells, its colour the mean. */
export function GeneDots({ gene, datasets }: { gene: string; datasets: readonly Dataset[] }) {
  const { shown, leftOut } = columnsOf(datasets);
  const means = datasets.flatMap(({ cell_types }) => cell_types.map(({ mean }) => mean ?? 0));
  const most = means.reduce((highest, mean) => Math.max(highest, mean), 0);
  return (
    <figure className={cn('bg-surface flex flex-col gap-3 rounded-lg border p-4', dotColours)}>
      <Legend most={most} />
      <Table aria-label={`${gene} by dataset and cell type`} className="w-auto">
        <TableHeader>
          <TableRow>
            <TableHead className="bg-surface sticky left-0 z-10 align-bottom">Dataset</TableHead>
            {shown.map((name) => (
              <TableHead key={name} title={name} className="px-0.5 align-bottom">
                <span className="inline-block max-h-40 rotate-180 truncate [writing-mode:vertical-rl]">
                  {name}
                </span>
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {datasets.map((dataset) => (
            <DatasetRow key={dataset.dataset_filename} dataset={dataset} columns={shown} most={most} />
          ))}
        </TableBody>
      </Table>
      {leftOut > 0 && (
        <p className="text-muted text-xs">
          {leftOut} more cell types, which fewer datasets have, are not shown.
        </p>
      )}
    </figure>
  );
}

interface DatasetRowProps {
  dataset: Dataset;
  columns: readonly string[];
  /** The highest mean of all. */
  most: number;
}

/** The name of the dataset is the row's one stop of the Tab key; each dot leads to the same view. */
function DatasetRow({ dataset, columns, most }: DatasetRowProps) {
  const address = explorerAddress(dataset);
  const types = new Map(dataset.cell_types.map((type) => [type.name, type]));
  const cells = dataset.cell_types.reduce((sum, type) => sum + type.cells, 0);
  return (
    <TableRow>
      <TableHead scope="row" className="bg-surface sticky left-0 z-10 text-left font-normal">
        <Link
          to={address}
          title={dataset.name}
          className="text-accent block max-w-36 truncate rounded font-medium underline-offset-4 hover:underline sm:max-w-72"
        >
          {dataset.name}
        </Link>
        <span className="text-muted text-xs">
          {counted(cells, 'cell')}
          {dataset.simulated && ' · Simulated'}
        </span>
      </TableHead>
      {columns.map((name) => (
        <td key={name} className="relative p-0.5 text-center">
          <Dot address={address} type={types.get(name)} most={most} />
        </td>
      ))}
    </TableRow>
  );
}

function Dot({ address, type, most }: { address: string; type: CellType | undefined; most: number }) {
  if (type === undefined) return <span className="sr-only">No such cells</span>;
  const share = type.expressing / type.cells;
  const mean = type.mean === null ? 'unknown' : type.mean.toFixed(2);
  const words = `${type.name}: ${percent(share)} of ${counted(type.cells, 'cell')}, mean ${mean}`;
  return (
    <Link to={address} tabIndex={-1} title={words} aria-label={words} className="inline-block rounded">
      <DotMark share={share} level={most > 0 ? (type.mean ?? 0) / most : 0} />
    </Link>
  );
}

function DotMark({ share, level }: { share: number; level: number }) {
  const side = 2 * radius + 2;
  return (
    <svg width={side} height={side} viewBox={`${-side / 2} ${-side / 2} ${side} ${side}`} aria-hidden>
      <circle
        r={Math.max(0.75, radius * Math.sqrt(share))}
        style={{ fill: rampColour(level) }}
        className="stroke-muted"
        strokeWidth="0.75"
      />
    </svg>
  );
}

/** `level` is 0 to 1. */
function rampColour(level: number): string {
  const at = Math.min(1, Math.max(0, level)) * 2;
  const [from, to] = at < 1 ? ['low', 'mid'] : ['mid', 'high'];
  return `color-mix(in oklab, var(--dot-${to}) ${Math.round((at % 1 || Number(at === 2)) * 100)}%, var(--dot-${from}))`;
}

function Legend({ most }: { most: number }) {
  return (
    <figcaption className="text-muted flex flex-wrap items-center gap-x-6 gap-y-2 text-xs">
      <span className="flex flex-wrap items-center gap-x-2">
        Expressing cells
        {[0.1, 0.25, 0.5, 1].map((share) => (
          <span key={share} className="flex items-center gap-1 whitespace-nowrap">
            <DotMark share={share} level={0} />
            {percent(share)}
          </span>
        ))}
      </span>
      <span className="flex items-center gap-2">
        Mean, log-normalised
        <span>0</span>
        <span
          aria-hidden
          className="h-2.5 w-24 rounded-sm"
          style={{
            background: 'linear-gradient(to right in oklab, var(--dot-low), var(--dot-mid), var(--dot-high))',
          }}
        />
        <span>{most.toFixed(2)}</span>
      </span>
    </figcaption>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;
}
