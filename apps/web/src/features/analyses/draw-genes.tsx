import type { FigureSource } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, createContext, type KeyboardEvent, use, useMemo } from 'react';
import { renderFigure } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';
import { type TableColumn, type TableColumns, textsOf } from '@/features/tables/index.ts';

/** The genes of a result on the maps. */
export interface GenesOnMap {
  /** The gene that colours the live map. */
  gene: string | null;
  /** Colours the live map by a gene; `null` restores its own colours. */
  show: (gene: string | null) => void;
  /** Draws images of genes, which are kept in the library. */
  draw: (genes: readonly string[]) => void;
}

/** `null` where there is no map. */
export const GenesOnMapContext = createContext<GenesOnMap | null>(null);

/** The row of a gene, for points that are rows; undefined if none is about it. */
export function useRowOfGene(table: TableColumns, gene: string | null): number | undefined {
  return useMemo(() => {
    const names = gene === null ? undefined : textsOf(table.columns, 'names');
    const code = names?.categories.indexOf(gene!) ?? -1;
    const row = code < 0 ? -1 : names!.codes.indexOf(code);
    return row < 0 ? undefined : row;
  }, [table, gene]);
}

/** The action of a name: one gene colours the live map, several are drawn. */
function useNameAction(): ((genes: readonly string[]) => void) | null {
  const map = use(GenesOnMapContext);
  if (map === null) return null;
  return (genes) => (genes.length === 1 ? map.show(genes[0]!) : map.draw(genes));
}

/** More genes of a cell stay text: the action of its row draws them. */
const maxButtons = 4;

interface GeneCellProps {
  column: Pick<TableColumn, 'name' | 'kind'>;
  text: string;
}

/** The text of a cell of a table, in which each gene is a button that shows it on the map. */
export function GeneCell({ column: { name, kind }, text }: GeneCellProps) {
  const show = useNameAction();
  const parts = name === 'names' ? [text] : kind === 'genes' ? text.split(/([;+])/) : [];
  if (show === null || text === '' || parts.length === 0 || parts.length >= 2 * maxButtons) return text;
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      part
    ) : (
      <button
        // oxlint-disable-next-line react/no-array-index-key -- a gene may be there twice
        key={at}
        type="button"
        title={`Show ${part} on the map`}
        className="hover:text-accent cursor-pointer text-left hover:underline"
        onClick={() => show([part])}
      >
        {part}
      </button>
    ),
  );
}

interface NamedGenes {
  genes: readonly string[];
  shown: string;
  place: Pick<ComponentProps<'text'>, 'x' | 'y' | 'fontSize' | 'textAnchor' | 'transform'>;
}

/**
 * Invisible buttons over the names of genes in a figure, which are its text in italics. Their places come from the
 * figure as SVG; mounted when the pointer is over the figure, since tables have the same genes for the keyboard.
 */
export function FigureGenes({ source }: { source: FigureSource }) {
  const show = useNameAction();
  const { api } = useServices();
  const figure = useQuery({
    queryKey: ['figure-genes', JSON.stringify(source)],
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => genesIn(await (await renderFigure(api, source, 'svg', signal)).text()),
    enabled: show !== null,
  });
  if (show === null || figure.data === undefined) return null;
  const { viewBox, names } = figure.data;
  return (
    <svg viewBox={viewBox} className="pointer-events-none absolute inset-0 size-full">
      {names.map(({ genes, shown, place }) => (
        <text
          key={`${place.x} ${place.y}`}
          {...place}
          fontStyle="italic"
          role="button"
          tabIndex={0}
          aria-label={`Show ${genes.join(', ')} on the map`}
          className="focus-visible:outline-accent pointer-events-auto cursor-pointer fill-transparent focus-visible:outline-2"
          onClick={() => show(genes)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            show(genes);
          }}
        >
          <title>{`Show ${genes.join(', ')} on the map`}</title>
          {shown}
        </text>
      ))}
    </svg>
  );
}

function genesIn(svg: string): { viewBox: string; names: NamedGenes[] } {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const names = Array.from(root.querySelectorAll('text[font-style="italic"]'), (text): NamedGenes => {
    const shown = text.lastChild?.textContent ?? '';
    const full = text.querySelector('title')?.textContent ?? shown;
    const number = (name: string) => Number(text.getAttribute(name));
    const transform = text.getAttribute('transform');
    return {
      genes: full.split(/, | – |\+/),
      shown,
      place: {
        x: number('x'),
        y: number('y'),
        fontSize: number('font-size'),
        textAnchor: (text.getAttribute('text-anchor') ?? 'start') as 'start' | 'middle' | 'end',
        ...(transform !== null && { transform }),
      },
    };
  });
  return { viewBox: root.getAttribute('viewBox') ?? '', names };
}
