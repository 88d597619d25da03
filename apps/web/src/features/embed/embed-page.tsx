import type { EmbeddedDataset, EmbeddedView } from '@cellfolio/contract';
import { contentAddress, type FigureContent } from '@cellfolio/figures/content';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink, Search } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Input } from '@/components/ui/form.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import { gsePage, SimulatedBadge } from '@/features/catalogue/index.ts';
import { displaysQuery } from '@/features/category-displays/index.ts';
import {
  columnListQuery,
  groupsColumn,
  LiveMap,
  LiveMaps,
  MapStore,
  MapToolbar,
  openMapAddress,
  titleIn,
  useMapState,
} from '@/features/map/index.ts';
import { createApiClient } from '@/lib/api-client.ts';
import { plural } from '@/lib/format.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { type Services, ServicesContext, useServices } from '@/lib/services.ts';
import { randomId } from '@/lib/session-id.ts';

interface Opened {
  view: EmbeddedView;
  dataset: EmbeddedDataset;
}

const card = 'map';

/** A view that other sites frame: one map of a public dataset. Its calls are those of a visitor. */
export function EmbedPage({ opened }: { opened?: Opened }) {
  if (opened === undefined) return <NotAvailable />;
  return (
    <AsVisitor dataset={opened.dataset}>
      <TooltipProvider delayDuration={400}>
        <EmbeddedMap {...opened} />
      </TooltipProvider>
    </AsVisitor>
  );
}

function NotAvailable() {
  return (
    <main className="flex h-dvh flex-col items-center justify-center gap-1 p-4 text-center text-sm">
      <h1 className="font-medium">This view is not available</h1>
      <p className="text-muted">Its address names no public dataset of this server.</p>
    </main>
  );
}

/** Calls and session, the only services that the parts of the explorer shown here use. */
function visitorServices({ apiKey, filename }: EmbeddedDataset): Services {
  const tab = randomId();
  const services: Pick<Services, 'api' | 'session'> = {
    api: createApiClient({
      analysisUrl: location.origin,
      apiKey,
      accessToken: async () => null,
      sessionId: async () => tab,
      demoDataset: filename,
    }),
    session: { get: () => signedOut, subscribe: () => () => {} },
  };
  return services as Services;
}
const signedOut = { status: 'signed-out' } as const;

function AsVisitor({ dataset, children }: { dataset: EmbeddedDataset; children: ReactNode }) {
  const [{ services, client }] = useState(() => {
    const visitor = visitorServices(dataset);
    const queries = createQueryClient();
    // A visitor has no orders, colours and names of their own to ask for.
    const { queryKey } = displaysQuery(visitor, dataset.filename);
    queries.setQueryDefaults(queryKey, { gcTime: Infinity });
    queries.setQueryData(queryKey, { displays: [] });
    return { services: visitor, client: queries };
  });
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ServicesContext>
  );
}

function storeOf({ view, dataset: { version, cellCount } }: Opened): MapStore {
  const store = new MapStore();
  if (view.map !== undefined) openMapAddress(store, view.map, [card], { version, cellCount, saved: [] });
  const { content } = view;
  if (content.kind !== 'category-umap' && store.look(card).content === undefined) {
    store.setOwnColours(card, content);
  }
  return store;
}

function EmbeddedMap({ view, dataset }: Opened) {
  const { filename, version, name, simulated } = dataset;
  const { api } = useServices();
  const [store] = useState(() => storeOf({ view, dataset }));
  const list = useQuery(columnListQuery(api, { filename, version })).data;
  const content: FigureContent = useMapState(store, (state) => state.looks.get(card)?.content) ?? allCells;
  const coloredBy =
    content.kind === 'gene-umap'
      ? content.gene
      : content.kind === 'obs-umap'
        ? titleIn(list?.obs ?? [], content.column)
        : (groupsColumn(list?.obs ?? [])?.title ?? 'All cells');
  return (
    <main className="bg-surface flex h-dvh flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1.5">
        <div className="flex min-w-64 flex-1 items-center gap-2">
          <h1 className="min-w-0 truncate text-sm font-medium" title={name}>
            {name}
          </h1>
          {simulated && <SimulatedBadge />}
        </div>
        <GeneField onChoose={(gene) => store.setLook(card, { ...noColours, content: geneUmap(gene) })} />
      </header>
      <div className="overflow-x-auto border-b px-2 py-0.5 [@media(max-height:20rem)]:hidden">
        <MapToolbar store={store} list={list} selects={false} />
      </div>
      <section aria-label="Map" className="min-h-0 flex-1">
        <ErrorBoundary region="The map">
          <LiveMaps stores={() => store}>
            <LiveMap
              source={{ dataset_filename: filename, version, content: allCells }}
              version={version}
              card={card}
              name={coloredBy}
              original="the default"
            >
              <NoMap />
            </LiveMap>
          </LiveMaps>
        </ErrorBoundary>
      </section>
      <Source dataset={dataset} content={content} />
    </main>
  );
}

const allCells = { kind: 'category-umap' } as const;
/** Takes away the settings of the colours before. */
const noColours = { hidden: undefined, range: undefined, log: undefined };
const geneUmap = (gene: string) => ({ kind: 'gene-umap', gene }) as const;

function GeneField({ onChoose }: { onChoose: (gene: string) => void }) {
  const id = useId();
  const [gene, setGene] = useState('');
  return (
    <form
      className="flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        if (gene.trim() !== '') onChoose(gene.trim());
      }}
    >
      <label htmlFor={id} className="sr-only">
        Color by a gene
      </label>
      <Input
        id={id}
        className="h-7 w-36 text-xs"
        placeholder="Color by a gene"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={gene}
        onChange={(event) => setGene(event.target.value)}
      />
      <Button type="submit" variant="ghost" size="icon-sm" aria-label="Show the gene">
        <Search aria-hidden />
      </Button>
    </form>
  );
}

function NoMap() {
  const client = useQueryClient();
  return (
    <div
      role="alert"
      className="flex size-full flex-col items-center justify-center gap-2 p-4 text-center text-sm"
    >
      <p>The map could not be loaded. The server may be busy.</p>
      <Button variant="secondary" size="sm" onClick={() => void client.refetchQueries({ type: 'active' })}>
        Try again
      </Button>
    </div>
  );
}

function Source({ dataset, content }: { dataset: EmbeddedDataset; content: FigureContent }) {
  const { filename, cellCount, accession = '' } = dataset;
  const series = gsePage(accession);
  const query = new URLSearchParams({ dataset: filename, view: contentAddress(content) ?? '' });
  return (
    <footer className="text-muted flex flex-wrap items-center gap-x-3 border-t px-3 py-1 text-xs">
      <span className="tabular-nums">{plural(cellCount, 'cell')}</span>
      {accession !== '' && (
        <span>
          Source:{' '}
          {series === undefined ? (
            accession
          ) : (
            <a href={series} target="_blank" rel="noopener noreferrer" className="underline">
              {accession}
            </a>
          )}
        </span>
      )}
      <a
        href={`/explorer?${query}`}
        target="_blank"
        rel="noopener"
        className="text-accent ml-auto inline-flex items-center gap-1 underline underline-offset-2"
      >
        Open in Cellfolio
        <ExternalLink aria-hidden className="size-3" />
      </a>
    </footer>
  );
}
