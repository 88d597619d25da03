import type { GeneSummary } from '@cellfolio/contract';
import {
  contentAddress,
  darkMeanRamp,
  dotArea,
  dotMaxOf,
  legendFractions,
  meanColour,
  meanRamp,
} from '@cellfolio/figures/content';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { percent, plural } from '@/lib/format.ts';
import { Table, TableBody, TableHead, TableHeader, TableRow } from '@/components/ui/table.tsx';

type Dataset = GeneSummary['datasets'][number];
type CellType = Dataset['cell_types'][number];
type Column = GeneSummary['columns'][number];

const maxColumns = 60;
/** Radius of the largest dot, and of the dot for cells without expression, in CSS pixels. */
const radius = 11;
const minRadius = 1.2;

interface Scale {
  dotMax: number;
  domain: readonly [number, number];
}

function scaleOf(types: readonly CellType[]): Scale {
  let [low, high, greatest] = [Infinity, -Infinity, 0];
  for (const { mean, expressing, cells } of types) {
    if (mean === null) continue;
    low = Math.min(low, mean);
    high = Math.max(high, mean);
    greatest = Math.max(greatest, expressing / cells);
  }
  const domain: Scale['domain'] = low < high ? [low, high] : low === high ? [Math.min(0, low), high] : [0, 0];
  return { dotMax: dotMaxOf(greatest), domain };
}

function explorerAddress({ dataset_filename, symbol }: Dataset): string {
  const view = contentAddress({ kind: 'gene-umap', gene: symbol });
  return `/explorer?${new URLSearchParams({ dataset: dataset_filename, ...(view && { view }) })}`;
}

export function GeneDots({ gene, datasets, columns }: Pick<GeneSummary, 'gene' | 'datasets' | 'columns'>) {
  const shown = columns.slice(0, maxColumns);
  const leftOut = columns.length - shown.length;
  const scale = scaleOf(
    datasets.flatMap(({ cell_types: types }) => types.filter(({ column }) => column < maxColumns)),
  );
  return (
    <>
      <Legend scale={scale} />
      <Table aria-label={`${gene} by dataset and cell type`} className="w-auto">
        <TableHeader>
          <TableRow>
            <TableHead className="bg-surface sticky left-0 z-10 align-bottom">Dataset</TableHead>
            {shown.map((column) => (
              <TableHead key={column.name} title={spellingsOf(column)} className="px-0.5 align-bottom">
                <span className="inline-block max-h-40 rotate-180 truncate [writing-mode:vertical-rl]">
                  {column.name}
                </span>
              </TableHead>
            ))}
          </TableRow>
        </TableHeader>
        <TableBody>
          {datasets.map((dataset) => (
            <DatasetRow key={dataset.dataset_filename} dataset={dataset} columns={shown} scale={scale} />
          ))}
        </TableBody>
      </Table>
      {leftOut > 0 && (
        <p className="text-muted text-xs">
          {leftOut} more cell types, found in fewer datasets, are in the CSV file.
        </p>
      )}
      <JoinedTypes columns={shown} />
    </>
  );
}

function spellingsOf({ name, spellings }: Column): string {
  if (spellings.length < 2) return name;
  const written = spellings.map((one) => `“${one.name}” in ${plural(one.datasets, 'dataset')}`);
  return `${name}: written ${written.join(', ')}`;
}

function JoinedTypes({ columns }: { columns: readonly Column[] }) {
  const joined = columns.filter(({ spellings }) => spellings.length > 1);
  if (joined.length === 0) return null;
  return (
    <details className="text-muted text-xs">
      <summary className="cursor-pointer rounded">
        Cell types joined that differ only in spelling: {joined.length}
      </summary>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {joined.map((column) => (
          <li key={column.name}>{spellingsOf(column)}</li>
        ))}
      </ul>
    </details>
  );
}

interface DatasetRowProps {
  dataset: Dataset;
  columns: readonly Column[];
  scale: Scale;
}

/** The dataset's name is the only tab stop of the row; each dot links to the same view. */
function DatasetRow({ dataset, columns, scale }: DatasetRowProps) {
  const address = explorerAddress(dataset);
  const types = new Map(dataset.cell_types.map((type) => [type.column, type]));
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
          {plural(cells, 'cell')}
          {dataset.simulated && ' · Simulated'}
        </span>
      </TableHead>
      {columns.map(({ name }, column) => (
        <td key={name} className="relative p-0.5 text-center">
          <Dot address={address} type={types.get(column)} scale={scale} />
        </td>
      ))}
    </TableRow>
  );
}

function Dot({ address, type, scale }: { address: string; type: CellType | undefined; scale: Scale }) {
  if (type === undefined) return <span className="sr-only">No such cells</span>;
  const share = type.expressing / type.cells;
  const mean = type.mean === null ? 'unknown' : type.mean.toFixed(2);
  const words = `${type.name}: ${percent(share)} of ${plural(type.cells, 'cell')}, mean ${mean}`;
  return (
    <Link to={address} tabIndex={-1} title={words} aria-label={words} className="inline-block rounded">
      <DotMark share={share} mean={type.mean ?? scale.domain[0]} scale={scale} />
    </Link>
  );
}

function DotMark({ share, mean, scale }: { share: number; mean: number; scale: Scale }) {
  const side = 2 * radius + 2;
  return (
    <svg width={side} height={side} viewBox={`${-side / 2} ${-side / 2} ${side} ${side}`} aria-hidden>
      <circle
        r={Math.max(minRadius, radius * Math.sqrt(dotArea(share, scale.dotMax)))}
        style={inBothThemes((ramp) => meanColour(mean, scale.domain, ramp))}
        className="stroke-muted fill-(--light) dark:fill-(--dark)"
        strokeWidth="0.75"
      />
    </svg>
  );
}

/** The ramp's colours on a light and on a dark background, for the style sheet to choose from. */
function inBothThemes(colourOf: (ramp: readonly string[]) => string): CSSProperties {
  return { '--light': colourOf(meanRamp), '--dark': colourOf(darkMeanRamp) } as CSSProperties;
}

function Legend({ scale }: { scale: Scale }) {
  const { dotMax, domain } = scale;
  return (
    <div className="text-muted flex flex-wrap items-center gap-x-6 gap-y-2 text-xs">
      <span className="flex flex-wrap items-center gap-x-2">
        Expressing cells
        {legendFractions(dotMax).map((share) => (
          <span key={share} className="flex items-center gap-1 whitespace-nowrap">
            <DotMark share={share} mean={domain[0]} scale={scale} />
            {roundPercent(share)}
          </span>
        ))}
        {dotMax === 0 && 'none'}
      </span>
      <span className="flex items-center gap-2">
        Mean, log-normalized
        <span>{domain[0].toFixed(2)}</span>
        <span
          aria-hidden
          className="h-2.5 w-24 rounded-sm bg-(image:--light) dark:bg-(image:--dark)"
          style={inBothThemes((ramp) => `linear-gradient(to right, ${ramp.join(', ')})`)}
        />
        <span>{domain[1].toFixed(2)}</span>
      </span>
    </div>
  );
}

/** For the rounded sizes in the legend. */
function roundPercent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.01 ? 2 : 0)} %`;
}
