import { use, useDeferredValue, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { AppHeader } from '@/components/app-header.tsx';
import { ErrorBoundary } from '@/components/error-boundary.tsx';
import { HeaderLink } from '@/components/header-parts.tsx';
import { Alert } from '@/components/ui/alert.tsx';
import { authLinkError } from '@/lib/auth-answer.ts';
import { ServicesContext, useSession } from '@/lib/services.ts';
import { trialLength } from '@/lib/trial-length.ts';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card.tsx';
import { Skeleton } from '@/components/ui/placeholders.tsx';
import { Spinner } from '@/components/ui/spinner.tsx';
import { cn } from '@/lib/cn.ts';
import { useHydrated } from '@/lib/use-browser.ts';
import { countDatasets } from './catalogue-entries.ts';
import { CustomFilesCard } from './custom-files-card.tsx';
import { DamagedDatasetsCard } from './damaged-datasets-card.tsx';
import { type Layout, DatasetList, LayoutChoice, MatchList, useLayout } from './dataset-list.tsx';
import { useDatasetMetadata } from './dataset-metadata.tsx';
import { DatasetPreview } from './dataset-preview.tsx';
import { DiseaseList, searchFrom } from './disease-list.tsx';
import { FacetBar } from './facet-bar.tsx';
import { countFacets, narrowCatalogue, useFacets } from './facets.ts';
import { RecentDatasetsPanel } from './recent-datasets-panel.tsx';
import { readRecentDatasets } from './recent-datasets.ts';
import { searchCatalogue, useGeneDatasets, useSearch } from './search.ts';
import { type UnknownName, datasetsOf, resolveSelection, stepOf, useSelection } from './selection.ts';
import { StepBar } from './step-bar.tsx';

const notLoaded = 'The datasets could not be loaded. Check your connection, then choose Try again.';

/** Prerendered: shown before the services have started. */
function DatasetSelectorPage() {
  const config = use(ServicesContext)?.config;
  const session = useSession();
  const [layout, setLayout] = useLayout();
  return (
    <div data-grows className="flex min-h-dvh flex-col">
      <title>Dataset Selector · Cellfolio</title>
      <AppHeader>
        {session.status === 'signed-in' && (
          <>
            <HeaderLink to="/upload-data">Upload Data</HeaderLink>
            <HeaderLink to="/account">Account</HeaderLink>
          </>
        )}
      </AppHeader>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-360 flex-1 p-4 outline-none lg:p-6">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="text-xl font-semibold tracking-tight">Dataset Selector</h1>
          <LayoutChoice value={layout} onChange={setLayout} />
        </div>
        <div className="text-muted mt-1 mb-4 flex flex-col gap-x-1 sm:flex-row">
          <p>Choose a disease, then a dataset, and explore its cells and genes.</p>
          {/* Its space is reserved until its content is known. */}
          <p className="min-h-5.25">
            {session.status === 'signed-out' && config?.features.signUp && (
              <>
                <Link to="/auth" className="text-accent rounded underline underline-offset-4">
                  Sign up
                </Link>{' '}
                to explore any of them, free for {trialLength()}.
              </>
            )}
          </p>
        </div>
        {config === undefined ? <SelectorSkeleton layout={layout} /> : <Selector layout={layout} />}
      </main>
    </div>
  );
}

type CatalogueQuery = ReturnType<typeof useDatasetMetadata>;

/** The catalogue and its selection. Rendered as a whole once the catalogue has loaded, so that nothing shifts. */
function Selector({ layout }: { layout: Layout }) {
  const query = useDatasetMetadata();
  // Deferred, so that the page stays responsive while the catalogue is searched, counted and drawn.
  const pending = useDeferredValue(query.isPending);
  return pending ? <SelectorSkeleton layout={layout} /> : <Loaded layout={layout} query={query} />;
}

function Loaded({ layout, query }: { layout: Layout; query: CatalogueQuery }) {
  const linkError = authLinkError(useLocation().hash);
  const session = useSession();
  const state = useSelector(layout === 'steps', query);
  const { resolved, dataset } = state;
  return (
    <>
      {linkError !== null && session.status !== 'loading' && (
        <LinkFailed reason={linkError} signedIn={session.status === 'signed-in'} />
      )}
      {resolved.unknown !== null && <UnknownSelection unknown={resolved.unknown} instead={dataset?.name} />}
      {layout === 'steps' ? <Steps state={state} /> : <Columns state={state} />}
    </>
  );
}

function useSelector(stepped: boolean, query: CatalogueQuery) {
  const session = useSession();
  const { urlSelection, urlStep, select, goTo } = useSelection(stepped);
  const [recent] = useState(readRecentDatasets);
  const { search, setSearch, narrowed, setNarrowed } = useSearch();
  const { chosen: facets, setFacet, clearFacets } = useFacets();
  const genes = useGeneDatasets(search);
  const searched = query.data && searchCatalogue(query.data, search, genes);
  const matches = searched && narrowCatalogue(searched, facets);
  const resolved = query.data
    ? resolveSelection(query.data, urlSelection, session.status === 'signed-out' ? [] : recent)
    : { selection: urlSelection, completed: urlSelection, shown: urlSelection, unknown: null };
  // In steps nothing is shown before its step.
  const selection = stepped ? resolved.completed : resolved.shown;
  const filtered = facets.size > 0;
  return {
    stepped,
    query,
    missing: query.data === undefined && query.isError ? notLoaded : null,
    search: search.trim(),
    typed: search,
    setSearch,
    genes,
    matches,
    filtered,
    facetCounts: searched && query.data && countFacets(query.data, searched, facets),
    setFacet: (...facet: Parameters<typeof setFacet>) => {
      setNarrowed(false);
      setFacet(...facet);
    },
    clearFacets,
    /** A search or a filter covers all diseases, until one is chosen. */
    across: (search.trim() !== '' || filtered) && !narrowed,
    resolved,
    selection,
    select,
    selectDisease: (disease: string | null, subDisease: string | null) => {
      setNarrowed(true);
      select({ disease, subDisease, dataset: null });
    },
    step: stepOf(urlStep, resolved.selection, resolved.completed),
    goTo,
    // The selection stays listed when the search changes.
    datasets: datasetsOf(matches, selection) ?? datasetsOf(query.data, selection),
    dataset: datasetsOf(query.data, selection)?.find(
      (candidate) => candidate.dataset_filename === selection.dataset,
    ),
  };
}

type SelectorState = ReturnType<typeof useSelector>;

function Steps({ state }: { state: SelectorState }) {
  const { step, selection, dataset } = state;
  return (
    <>
      <StepBar
        step={step}
        selection={selection}
        datasetName={dataset?.name ?? null}
        onStep={(to) => state.goTo(selection, to)}
      />
      {step === 1 && <Facets state={state} />}
      {step === 1 && (
        <div className="grid items-start gap-4 md:grid-cols-2">
          <div className="flex flex-col gap-4">
            <Diseases state={state} />
          </div>
          <FirstStepSide state={state} />
        </div>
      )}
      {step === 2 && (
        <div className="max-w-3xl">
          <Datasets state={state} />
        </div>
      )}
      {step === 3 && (
        <div className="max-w-5xl">
          <Preview state={state} />
        </div>
      )}
    </>
  );
}

function FirstStepSide({ state }: { state: SelectorState }) {
  const signedIn = useSession().status === 'signed-in';
  const matches = state.across && state.matches !== undefined;
  if (!matches && !signedIn) return null;
  return (
    <div className="flex flex-col gap-4">
      {matches ? <Matches state={state} /> : <UserDatasets state={state} />}
    </div>
  );
}

function Columns({ state }: { state: SelectorState }) {
  return (
    <>
      <Facets state={state} />
      <div className="grid items-start gap-4 md:grid-cols-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]">
        <div className="flex flex-col gap-4">
          <Diseases state={state} />
          <UserDatasets state={state} />
        </div>
        <Datasets state={state} />
        <Preview state={state} />
      </div>
    </>
  );
}

function Diseases({ state }: { state: SelectorState }) {
  return (
    <>
      <ErrorBoundary region="The list of diseases">
        <DiseaseList
          title={state.stepped ? 'Step 1: Browse by Disease' : 'Browse by Disease'}
          query={state.query}
          matches={state.matches}
          search={state.typed}
          filtered={state.filtered}
          onClearFilters={state.clearFacets}
          onSearch={state.setSearch}
          selection={state.selection}
          named={state.resolved.selection.disease}
          onSelect={state.selectDisease}
        />
      </ErrorBoundary>
      <ErrorBoundary region="The list of damaged datasets">
        <DamagedDatasetsCard />
      </ErrorBoundary>
    </>
  );
}

function UserDatasets({ state }: { state: SelectorState }) {
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  return (
    <>
      <ErrorBoundary region="The list of recent datasets">
        <RecentDatasetsPanel catalogue={state.query.data} />
      </ErrorBoundary>
      <ErrorBoundary region="The list of your files">
        <CustomFilesCard userId={session.user.id} />
      </ErrorBoundary>
    </>
  );
}

function Facets({ state }: { state: SelectorState }) {
  const { facetCounts, matches, filtered, query } = state;
  const all = query.data === undefined ? 0 : countDatasets(query.data);
  if (facetCounts === undefined || matches === undefined || (all < searchFrom && !filtered)) return null;
  return (
    <ErrorBoundary region="The filters">
      <FacetBar
        facets={facetCounts}
        matchCount={countDatasets(matches)}
        all={all}
        onChange={state.setFacet}
        onClear={state.clearFacets}
      />
    </ErrorBoundary>
  );
}

function Matches({ state }: { state: SelectorState }) {
  const { search, matches, genes, selection, select } = state;
  if (matches === undefined) return null;
  return (
    <MatchList search={search} matches={matches} genes={genes} selection={selection} onSelect={select} />
  );
}

function Datasets({ state }: { state: SelectorState }) {
  const { stepped, across, matches, datasets, selection, missing, select } = state;
  return (
    <ErrorBoundary region="The list of datasets">
      {!stepped && across && matches !== undefined ? (
        <Matches state={state} />
      ) : (
        <DatasetList
          stepped={stepped}
          disease={datasets === undefined ? null : selection.disease}
          datasets={datasets}
          chosen={selection.dataset}
          missing={missing}
          onSelect={(filename) => select({ ...selection, dataset: filename })}
        />
      )}
    </ErrorBoundary>
  );
}

function Preview({ state }: { state: SelectorState }) {
  return (
    <ErrorBoundary region="The preview">
      <DatasetPreview
        title={state.stepped ? 'Step 3: Dataset Preview' : 'Dataset Preview'}
        disease={state.selection.disease}
        dataset={state.dataset}
        missing={state.missing}
      />
    </ErrorBoundary>
  );
}

export { DatasetSelectorPage as Component };
/** Mail links lead to this page: shows why one failed, and how to get another. */
function LinkFailed({ reason, signedIn }: { reason: string; signedIn: boolean }) {
  return (
    <Alert variant="danger" role="alert" className="mb-4">
      <p className="wrap-anywhere">
        {reason.replace(/\.?$/, '.')}{' '}
        {!signedIn && (
          <>
            <Link to="/auth/confirm" className="rounded font-medium underline underline-offset-4">
              Confirm your email address
            </Link>{' '}
            by code, or request a new email.
          </>
        )}
      </p>
    </Alert>
  );
}

function UnknownSelection({ unknown, instead }: { unknown: UnknownName; instead: string | undefined }) {
  return (
    <Alert variant="warning" role="alert" className="mb-4">
      <p className="min-w-0 wrap-anywhere">
        The catalog has no {unknown.what} “{unknown.name}”.{' '}
        {instead !== undefined && <>“{instead}” is shown instead. </>}
        <Link to="/dataset-selector" className="rounded font-medium underline underline-offset-4">
          Browse all datasets
        </Link>
      </p>
    </Alert>
  );
}

function SelectorSkeleton({ layout }: { layout: Layout }) {
  const stepped = layout === 'steps';
  // Rendered beforehand the layout is not known but by the width, which the style sheet knows (use-layout.ts).
  const unknown = !useHydrated();
  return (
    <>
      {(stepped || unknown) && (
        <Skeleton
          className={cn('bg-surface-2 mb-4 h-8.5 w-80 max-w-full', unknown && 'min-[68.75rem]:hidden')}
        />
      )}
      <Skeleton className="bg-surface-2 mb-4 h-8" />
      <div
        className={cn(
          'grid items-start gap-4 md:grid-cols-2',
          unknown && 'min-[68.75rem]:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]',
          !unknown && !stepped && 'lg:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_minmax(0,5fr)]',
        )}
      >
        <Card aria-labelledby="browse-by-disease" aria-busy>
          <CardHeader>
            <CardTitle id="browse-by-disease">
              {stepped ? 'Step 1: Browse by Disease' : 'Browse by Disease'}
            </CardTitle>
          </CardHeader>
          <CardContent className="flex flex-col gap-3">
            <p role="status" className="text-muted flex items-center gap-2">
              <Spinner />
              Loading diseases...
            </p>
            {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'].map((width) => (
              <Skeleton key={width} className={cn('bg-surface-2 my-1.5 h-6', width)} />
            ))}
          </CardContent>
        </Card>
        <Skeleton className="bg-surface-2 h-40 max-md:hidden" />
        {!stepped && (
          <Skeleton
            className={cn('bg-surface-2 h-64', unknown ? 'max-[68.75rem]:hidden' : 'max-lg:hidden')}
          />
        )}
      </div>
    </>
  );
}
