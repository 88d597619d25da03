import { columnTitle, type DatasetAnalysis } from '@cellfolio/contract';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { CircleAlert, Lock, X } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, Navigate } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { NoticeText } from '@/components/explorer-notice.tsx';
import { FigureImage } from '@/components/figure-image.tsx';
import { PageLoading, whenStarted } from '@/components/when-started.tsx';
import { Button } from '@/components/ui/button.tsx';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { TooltipProvider } from '@/components/ui/tooltip.tsx';
import {
  assetUrl,
  explorerPath,
  findDataset,
  SimulatedBadge,
  useDatasetMetadata,
} from '@/features/catalogue/index.ts';
import { AskCard, type AskHost, type RunnableStep } from '@/features/ask/index.ts';
import { displaysQuery } from '@/features/category-displays/index.ts';
import { GeneChips, type GeneIndex, GeneSearch, indexGenes } from '@/features/genes/index.ts';
import { FittedOver, defaultViewerSize } from '@/features/images/index.ts';
import { columnListQuery, LiveMap, LiveMaps, MapToolbar, useMapStores } from '@/features/map/index.ts';
import { cn } from '@/lib/cn.ts';
import { figureAlt, type FigureWords } from '@/lib/figure-words.ts';
import { createQueryClient } from '@/lib/query-client.ts';
import { type Services, ServicesContext, useServices, useSession } from '@/lib/services.ts';
import { reasonOf } from '@/lib/api-errors.ts';
import { CurrentDatasetCard } from './current-dataset-card.tsx';
import { groupedByOf } from './explorer-images.ts';
import { useDatasetAnalysis } from './open-dataset.tsx';
import { analysisPanels, explorationPanels } from './panel-titles.ts';
import { ViolinOption } from './panels/run-outcome.tsx';

/**
 * The explorer without an account: maps of one simulated dataset, read-only. Its calls are those of a visitor, also
 * while a user is signed in. A server without a demo dataset has the steps of the demo in its place.
 */
function DemoExplorerPage() {
  const services = useServices();
  const { demoDataset } = services.config;
  const isSignedIn = useSession().status === 'signed-in';
  if (demoDataset === undefined) return <Navigate to="/demo" replace />;
  return (
    <TooltipProvider delayDuration={400}>
      <div className="flex min-h-dvh flex-col md:h-dvh md:min-h-160">
        <title>Live demo · Cellfolio</title>
        <AppHeader />
        <AsVisitor services={services} filename={demoDataset}>
          <Demo filename={demoDataset} isSignedIn={isSignedIn} />
        </AsVisitor>
      </div>
    </TooltipProvider>
  );
}

const signedOutSession: Services['session'] = {
  get: () => signedOut,
  subscribe: () => () => {},
};
const signedOut = { status: 'signed-out' } as const;

interface AsVisitorProps {
  services: Services;
  filename: string;
  children: ReactNode;
}

/** Gives the parts of the explorer a visitor's calls, and a cache that shares nothing with that of a user. */
function AsVisitor({ services, filename, children }: AsVisitorProps) {
  const visitor = useMemo(
    () => ({ ...services, api: services.visitorApi, session: signedOutSession }),
    [services],
  );
  const [client] = useState(() => {
    const queries = createQueryClient();
    // A visitor has no orders, colours and names of their own to ask for.
    const { queryKey } = displaysQuery(visitor, filename);
    queries.setQueryDefaults(queryKey, { gcTime: Infinity });
    queries.setQueryData(queryKey, { displays: [] });
    return queries;
  });
  return (
    <ServicesContext value={visitor}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </ServicesContext>
  );
}

function Demo({ filename, isSignedIn }: { filename: string; isSignedIn: boolean }) {
  const opening = useDatasetAnalysis(filename);
  const catalogue = useDatasetMetadata();
  const analysis = opening.data?.analysis;
  if (opening.isError) {
    return (
      <main id="content" tabIndex={-1} className="flex flex-1 items-center justify-center p-6 outline-none">
        <NoticeText
          role="alert"
          icon={<CircleAlert aria-hidden className="text-danger" />}
          title="The live demo could not be opened"
          text={`${reasonOf(opening.error)}. Try again, or see the demo step by step.`}
        >
          <Button onClick={() => void opening.refetch()}>Try again</Button>
          <Button asChild variant="secondary">
            <Link to="/demo">Demo in seven steps</Link>
          </Button>
        </NoticeText>
      </main>
    );
  }
  if (analysis === null || analysis === undefined || catalogue.isPending) {
    return (
      <main id="content" tabIndex={-1} className="flex flex-1 items-center justify-center outline-none">
        <p role="status" className="text-muted flex items-center gap-2">
          <Spinner />
          Loading the demo...
        </p>
      </main>
    );
  }
  const lookup = findDataset(catalogue.data, filename);
  return <DemoExplorer {...{ filename, analysis, lookup, isSignedIn }} />;
}

interface DemoExplorerProps {
  filename: string;
  analysis: DatasetAnalysis;
  lookup: ReturnType<typeof findDataset>;
  isSignedIn: boolean;
}

function DemoExplorer({ filename, analysis, lookup, isSignedIn }: DemoExplorerProps) {
  const disease = lookup?.disease ?? '';
  const address = explorerPath(disease, filename);
  const toExplorer = isSignedIn ? { to: address } : { to: '/auth', state: { next: address } };
  const [figures, setFigures] = useState<readonly ShownFigure[]>([cellTypes]);
  const viewer = useRef<HTMLElement>(null);
  const index = useDemoIndex(filename, analysis);
  const show = (added: readonly ShownFigure[]) => {
    const others = figures.filter(({ id }) => added.every((one) => one.id !== id));
    flushSync(() => setFigures([...added, ...others].slice(0, defaultViewerSize)));
    // On a small screen the viewer stands above the search; scrolled to before it has grown, it would move away.
    viewer.current?.scrollIntoView({ block: 'start' });
  };
  const host: AskHost = {
    analysis,
    index,
    draftKey: `demo:${filename}`,
    run: async (step) => {
      const figure = demoFigureOf(step, analysis);
      if (figure !== undefined) show([figure]);
      return 'done';
    },
    cancel: () => {},
    refusal: (step) =>
      demoFigureOf(step, analysis) === undefined
        ? 'Not part of the demo: sign in to run it in the explorer.'
        : undefined,
  };
  return (
    <>
      <DemoBanner {...{ toExplorer, isSignedIn }} name={lookup?.dataset.name ?? filename} />
      <main
        id="content"
        tabIndex={-1}
        className="flex min-h-0 flex-1 gap-3 p-3 outline-none max-md:flex-col-reverse"
      >
        <h1 className="sr-only">Live demo</h1>
        <div className="flex w-80 shrink-0 flex-col gap-3 overflow-y-auto max-md:w-auto xl:w-92">
          <AskCard host={host} />
          <Card aria-labelledby="exploration">
            <CardHeader>
              <CardTitle id="exploration">Exploration</CardTitle>
            </CardHeader>
            <CardContent className="flex flex-col gap-3">
              <h3 className="font-medium">Gene Visualization</h3>
              <DemoGenes index={index} analysis={analysis} onShow={show} />
            </CardContent>
            <Locked
              {...{ toExplorer, isSignedIn }}
              purpose="explore further"
              names={Object.values(explorationPanels)}
            />
          </Card>
          <Card aria-labelledby="analysis">
            <CardHeader>
              <CardTitle id="analysis">Analysis</CardTitle>
            </CardHeader>
            <Locked
              {...{ toExplorer, isSignedIn }}
              purpose="run analyses"
              names={Object.values(analysisPanels)}
            />
          </Card>
          <CurrentDatasetCard
            disease={disease}
            filename={filename}
            analysis={analysis}
            entry={lookup?.dataset}
            custom={null}
            isReplaced={false}
            onReload={async () => false}
          />
        </div>
        <DemoViewer
          ref={viewer}
          filename={filename}
          analysis={analysis}
          figures={figures}
          onHide={(id) => setFigures((shown) => shown.filter((one) => one.id !== id))}
          onReset={() => setFigures([cellTypes])}
        />
      </main>
    </>
  );
}

interface WayToExplorer {
  /** The explorer with this dataset, after signing in where that is needed. */
  toExplorer: { to: string; state?: { next: string } };
  isSignedIn: boolean;
}

function DemoBanner({ toExplorer, isSignedIn, name }: WayToExplorer & { name: string }) {
  const { features } = useServices().config;
  const signIn = features.signUp ? 'Sign up for the free trial' : 'Sign in';
  return (
    <aside
      aria-label="About this demo"
      className="bg-surface-2 flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2"
    >
      <p className="min-w-64 flex-1 text-pretty">
        <SimulatedBadge /> <span className="font-medium">{name}</span> is simulated data, read-only. Nothing
        you do here is stored.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button asChild variant="secondary" size="sm">
          <Link to="/demo">Demo in seven steps</Link>
        </Button>
        <Button asChild size="sm">
          <Link {...toExplorer}>{isSignedIn ? 'Open in the explorer' : signIn}</Link>
        </Button>
      </div>
    </aside>
  );
}

interface LockedProps extends WayToExplorer {
  purpose: string;
  names: readonly string[];
}

function Locked({ toExplorer, isSignedIn, purpose, names }: LockedProps) {
  const text = `${isSignedIn ? 'Open in the explorer' : 'Sign in'} to ${purpose}`;
  return (
    <div className="flex flex-col gap-2 border-t px-4 py-3">
      <Link
        {...toExplorer}
        className="flex items-center gap-1.5 self-start rounded font-medium underline underline-offset-4"
      >
        <Lock aria-hidden className="size-3.5" />
        {text}
      </Link>
      <ul aria-label={text} className="text-muted flex flex-col gap-1 text-[13px]">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </div>
  );
}

function useDemoIndex(filename: string, { gene_library: symbols, version }: DatasetAnalysis): GeneIndex {
  return useMemo(() => indexGenes(symbols, { filename, version }), [symbols, filename, version]);
}

/** The figure of a step that the demo draws: a gene or a column on the map of all cells, or a gene by cell type. */
function demoFigureOf(step: RunnableStep, { columns }: DatasetAnalysis): ShownFigure | undefined {
  if (!('content' in step) || step.cells !== undefined) return undefined;
  const { content } = step;
  if (content.kind === 'gene-umap') return mapOf(content.gene);
  if (content.kind === 'obs-umap') {
    const { column } = content;
    return { id: `column ${column}`, title: columnTitle(column), content: { kind: 'obs-umap', column } };
  }
  if (content.kind !== 'violin' || content.of.measure !== 'gene' || content.split) return undefined;
  const isByTypes = content.by === undefined || content.by.column === columns.cell_types;
  return isByTypes ? violinOf(content.of.gene) : undefined;
}

interface DemoGenesProps {
  index: GeneIndex;
  analysis: DatasetAnalysis;
  onShow: (figures: readonly ShownFigure[]) => void;
}

function DemoGenes({ index, analysis, onShow }: DemoGenesProps) {
  const [genes, setGenes] = useState<readonly string[]>([]);
  const [violin, setViolin] = useState(false);
  const chosen = genes.flatMap((gene) => (violin ? [mapOf(gene), violinOf(gene)] : [mapOf(gene)]));
  const maxGenes = violin ? defaultViewerSize / 2 : defaultViewerSize;
  const draw = () => {
    if (genes.length > 0 && genes.length <= maxGenes) onShow(chosen);
  };
  return (
    <>
      <GeneSearch
        index={index}
        label="Search genes"
        chosen={genes}
        onAdd={(added) => setGenes([...genes, ...added])}
        onRemoveLast={() => setGenes(genes.slice(0, -1))}
        onConfirm={draw}
      />
      <GeneChips
        label="Selected genes"
        genes={genes}
        onRemove={(gene) => setGenes(genes.filter((other) => other !== gene))}
        onClear={() => setGenes([])}
      />
      <ViolinOption checked={violin} onChange={setViolin} groupedBy={groupedByOf(analysis)} />
      <Button disabled={genes.length === 0 || genes.length > maxGenes} onClick={draw}>
        {`Visualize Selected Genes (${genes.length})`}
      </Button>
      {genes.length > maxGenes && (
        <p role="status" className="text-muted text-xs">
          {`The demo shows ${maxGenes} of these at once. Remove ${genes.length - maxGenes}.`}
        </p>
      )}
    </>
  );
}

type ShownFigure =
  | { id: string; title: string; content: { kind: 'category-umap' } | { kind: 'gene-umap'; gene: string } }
  | { id: string; title: string; content: { kind: 'obs-umap'; column: string } }
  | { id: string; title: string; content: { kind: 'gene-violin'; gene: string } };

const cellTypes: ShownFigure = { id: 'default', title: 'Cell types', content: { kind: 'category-umap' } };

function mapOf(gene: string): ShownFigure {
  return { id: `map ${gene}`, title: gene, content: { kind: 'gene-umap', gene } };
}

function violinOf(gene: string): ShownFigure {
  return { id: `violin ${gene}`, title: `${gene} by cell type`, content: { kind: 'gene-violin', gene } };
}

interface DemoViewerProps {
  ref: Ref<HTMLElement>;
  filename: string;
  analysis: DatasetAnalysis;
  figures: readonly ShownFigure[];
  onHide: (id: string) => void;
  onReset: () => void;
}

function DemoViewer({ ref, filename, analysis, figures, onHide, onReset }: DemoViewerProps) {
  const { api } = useServices();
  const stores = useMapStores();
  const { version } = analysis;
  const list = useQuery(columnListQuery(api, { filename, version })).data;
  return (
    <section
      ref={ref}
      aria-label="Main Viewer"
      className="flex min-h-0 min-w-0 flex-1 scroll-mt-3 flex-col gap-2"
    >
      <MapToolbar store={stores(filename)} list={list} selects={false} />
      {figures.length === 0 && (
        <div className="text-muted flex min-h-60 flex-1 flex-col items-center justify-center gap-2 rounded-lg border border-dashed p-6 text-center">
          <p>The viewer is empty. Visualize a gene, or show the cell types again.</p>
          <Button variant="secondary" size="sm" onClick={onReset}>
            Show the cell types
          </Button>
        </div>
      )}
      <LiveMaps stores={stores}>
        <ul
          className={cn(
            'grid min-h-0 flex-1 gap-3 empty:hidden max-md:auto-rows-[28rem]',
            figures.length > 1 && 'md:grid-cols-2',
            figures.length > 2 && 'md:grid-rows-2',
          )}
        >
          {figures.map((figure) => (
            <li
              key={figure.id}
              className="bg-surface shadow-card flex min-h-0 min-w-0 flex-col overflow-hidden rounded-lg border"
            >
              <div className="flex items-center gap-2 py-1 pr-1 pl-3">
                <h3 className="min-w-0 flex-1 truncate text-[13px] font-medium">{figure.title}</h3>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={`Hide ${figure.title} from viewer`}
                  onClick={() => onHide(figure.id)}
                >
                  <X aria-hidden />
                </Button>
              </div>
              <div className="relative min-h-0 flex-1">
                <DemoFigure filename={filename} analysis={analysis} figure={figure} />
              </div>
            </li>
          ))}
        </ul>
      </LiveMaps>
    </section>
  );
}

interface DemoFigureProps extends Pick<DemoViewerProps, 'filename' | 'analysis'> {
  figure: ShownFigure;
}

function DemoFigure({ filename, analysis, figure }: DemoFigureProps) {
  const { analysisUrl } = useServices().config;
  const { version } = analysis;
  const { id, title, content } = figure;
  if (content.kind === 'gene-violin')
    return <ViolinFigure filename={filename} version={version} gene={content.gene} />;
  return (
    <LiveMap
      source={{ dataset_filename: filename, version, content }}
      version={version}
      card={id}
      name={title}
    >
      {content.kind === 'category-umap' ? (
        <FigureImage src={assetUrl(analysisUrl, analysis.umap_url)} alt="UMAP of the cell types" />
      ) : (
        <Failed text={`The map of ${title} could not be drawn.`} />
      )}
    </LiveMap>
  );
}

/** Drawn for its place and theme, as charts of the explorer are. */
function ViolinFigure({ filename, version, gene }: { filename: string; version: string; gene: string }) {
  const [words, setWords] = useState<FigureWords>();
  const source = { dataset_filename: filename, version, content: { kind: 'gene-violin', gene } } as const;
  return (
    <FittedOver source={source} onWords={setWords}>
      {(covered, { error }) =>
        error === null ? (
          <div role="img" aria-label={figureAlt(`${gene} by cell type`, words)} className="size-full">
            {!covered && <Spinner className="text-muted absolute inset-0 m-auto" />}
          </div>
        ) : (
          <Failed text={`The violins of ${gene} could not be drawn.`} />
        )
      }
    </FittedOver>
  );
}

function Failed({ text }: { text: string }) {
  return (
    <p role="alert" className="text-muted flex size-full items-center justify-center p-4 text-center">
      {text} Hide it, and show it again.
    </p>
  );
}

export const Component = whenStarted(DemoExplorerPage, PageLoading);
