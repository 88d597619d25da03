import type { FigureSource } from '@cellfolio/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, createContext, type KeyboardEvent, use } from 'react';
import { renderFigure } from '@/features/images/index.ts';
import { useServices } from '@/lib/services.ts';
import type { TableColumn } from '@/features/tables/index.ts';

/** Draws genes on the map; `null` where there is none. */
export const DrawGenes = createContext<((genes: readonly string[]) => void) | null>(null);

/** More genes of a cell stay text: the action of its row draws them. */
const maxButtons = 4;

interface GeneCellProps {
  column: Pick<TableColumn, 'name' | 'kind'>;
  text: string;
}

/** The text of a cell of a table, in which each gene is a button that draws it. */
export function GeneCell({ column: { name, kind }, text }: GeneCellProps) {
  const draw = use(DrawGenes);
  const parts = name === 'names' ? [text] : kind === 'genes' ? text.split(/([;+])/) : [];
  if (draw === null || text === '' || parts.length === 0 || parts.length >= 2 * maxButtons) return text;
  return parts.map((part, at) =>
    at % 2 === 1 ? (
      part
    ) : (
      <button
        // oxlint-disable-next-line react/no-array-index-key -- a gene may be there twice
        key={at}
        type="button"
        title={`Draw ${part} on the map`}
        className="hover:text-accent cursor-pointer text-left hover:underline"
        onClick={() => draw([part])}
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
  const draw = use(DrawGenes);
  const { api } = useServices();
  const figure = useQuery({
    queryKey: ['figure-genes', JSON.stringify(source)],
    staleTime: Infinity,
    gcTime: 60_000,
    queryFn: async ({ signal }) => genesIn(await (await renderFigure(api, source, 'svg', signal)).text()),
    enabled: draw !== null,
  });
  if (draw === null || figure.data === undefined) return null;
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
          aria-label={`Draw ${genes.join(', ')} on the map`}
          className="focus-visible:outline-accent pointer-events-auto cursor-pointer fill-transparent focus-visible:outline-2"
          onClick={() => draw(genes)}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            draw(genes);
          }}
        >
          <title>{`Draw ${genes.join(', ')} on the map`}</title>
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
