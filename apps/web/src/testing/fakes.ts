import type { CatalogueDataset, DatasetAnalysis, GenePlot, PublicConfig } from '@cellfolio/contract';
import type { Session } from '@supabase/auth-js';
import { vi } from 'vitest';
import { createApiClient } from '@/lib/api-client.ts';
import { createBackend } from '@/lib/backend.ts';
import type { AuthClient, Services } from '@/lib/services.ts';
import type { SessionSource } from '@/lib/session-store.ts';
import { createSessionStore } from '@/lib/session-store.ts';

const config: PublicConfig = {
  supabaseUrl: 'http://cellfolio.test',
  publishableKey: 'publishable',
  analysisUrl: 'http://cellfolio.test',
  apiKey: 'publishable',
  trialDays: 7,
  limits: { genesPerCall: 50 },
  features: { signUp: true, upload: false, aiAnalysis: false, checkout: false },
};

export interface ApiRequestSeen {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal | null;
}

type Answer = (request: ApiRequestSeen) => Response | Promise<Response>;

class FakeAuth {
  #listener: Parameters<SessionSource['onAuthStateChange']>[0] = () => {};

  readonly source: SessionSource = {
    onAuthStateChange: (listener) => {
      this.#listener = listener;
      return undefined;
    },
  };
  readonly client = {
    signInWithPassword: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    signUp: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    signOut: vi.fn(async () => ({ error: null })),
    setSession: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    resetPasswordForEmail: vi.fn(async () => ({ data: {}, error: null })),
    resend: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    verifyOtp: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    updateUser: vi.fn(async () => ({ data: { user: null }, error: null })),
    getSession: vi.fn(async () => ({ data: { session: null }, error: null })),
    refreshSession: vi.fn(async () => ({ data: { user: null, session: null }, error: null })),
    getUserIdentities: vi.fn(async () => ({ data: { identities: [] }, error: null })),
    unlinkIdentity: vi.fn(async () => ({ data: {}, error: null })),
    mfa: {
      listFactors: vi.fn(async () => ({ data: { all: [], totp: [], phone: [] }, error: null })),
      enroll: vi.fn(async () => ({ data: null, error: null })),
      challengeAndVerify: vi.fn(async () => ({ data: null, error: null })),
      unenroll: vi.fn(async () => ({ data: null, error: null })),
    },
  };
  readonly provider = {
    signInWithOAuth: vi.fn(async () => ({ data: { url: '' }, error: null })),
    exchangeCodeForSession: vi.fn(async () => ({ data: { session: null }, error: null })),
    setSession: vi.fn(async () => ({ data: { session: null }, error: null })),
    linkIdentity: vi.fn(async () => ({ data: { url: '' }, error: null })),
  };

  signIn(email = 'ada@cellfolio.test', created = new Date().toISOString(), id = 'ada'): void {
    this.#listener('SIGNED_IN', { user: { id, email, created_at: created } } as Session);
  }
  askSecondStep(email = 'ada@cellfolio.test', apps: Record<string, string> = { factor: 'Phone' }): void {
    const factors = Object.entries(apps).map(([id, friendly_name]) => ({
      id,
      friendly_name,
      factor_type: 'totp',
      status: 'verified',
    }));
    const access_token = `e30.${btoa(JSON.stringify({ aal: 'aal1' }))}.signature`;
    this.#listener('SIGNED_IN', { access_token, user: { id: 'ada', email, factors } } as unknown as Session);
  }
  signOut(): void {
    this.#listener('SIGNED_OUT', null);
  }
}

export interface FakeServices {
  services: Services;
  auth: FakeAuth;
  requests: ApiRequestSeen[];
  /** Sets the answer for paths with this prefix; the longest matching prefix applies. */
  answer: (path: string, answer: Answer) => void;
}

export function fakeServices(overrides: Partial<PublicConfig> = {}): FakeServices {
  const auth = new FakeAuth();
  const requests: ApiRequestSeen[] = [];
  const answers = new Map<string, Answer>();
  const fakeFetch: typeof fetch = async (url, init) => {
    const request: ApiRequestSeen = {
      method: init?.method ?? 'GET',
      path: String(url).slice(config.analysisUrl.length),
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      signal: init?.signal ?? null,
    };
    requests.push(request);
    const [answer] = Array.from(answers)
      .filter(([path]) => request.path.startsWith(path))
      .toSorted(([a], [b]) => b.length - a.length)
      .map(([, handler]) => handler);
    return answer === undefined
      ? json({ code: 'not_found', message: 'Nothing here.' }, 404)
      : answer(request);
  };
  const calls = {
    analysisUrl: config.analysisUrl,
    apiKey: config.apiKey,
    sessionId: async () => 'tab',
    fetch: fakeFetch,
  };
  const services: Services = {
    config: structuredClone({ ...config, ...overrides }),
    auth: auth.client as unknown as AuthClient,
    providerAuth: () => auth.provider as unknown as AuthClient,
    session: createSessionStore(auth.source),
    linkError: null,
    api: createApiClient({ ...calls, accessToken: async () => 'token' }),
    visitorApi: createApiClient({
      ...calls,
      accessToken: async () => null,
      demoDataset: overrides.demoDataset,
    }),
    ...createBackend({ config, accessToken: async () => 'token', fetch: fakeFetch }),
  };
  return { services, auth, requests, answer: (path, answer) => answers.set(path, answer) };
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export function catalogueDataset(overrides: Partial<CatalogueDataset> = {}): CatalogueDataset {
  return {
    dataset_filename: 'tumour_one',
    name: 'Tumour one',
    description: 'Seven tumours before treatment.',
    category1: 'Primary tumour',
    category2: 'Untreated',
    umap_url: '/umap/tumour_one.png',
    cell_count: 12_400,
    gene_count: 2000,
    simulated: true,
    ...overrides,
  };
}

export function datasetAnalysis(overrides: Partial<DatasetAnalysis> = {}): DatasetAnalysis {
  return {
    dataset_filename: 'tumour_one',
    cell_types: ['b-cell', 't-cell'],
    gene_library: ['CD79A', 'CD3D', 'CD3E', 'CST3', 'Ms4a1'],
    leiden_clusters: ['0', '1'],
    patient_metadata: {},
    cell_type_counts: { 'b-cell': 400, 't-cell': 300 },
    unlabelled_cells: 0,
    leiden_cluster_counts: { '0': 400, '1': 300 },
    columns: { cell_types: 'cell_type', leiden_clusters: 'leiden', patient_metadata: [] },
    cell_count: 700,
    gene_count: 5,
    species: { name: 'human', mapped: ['mouse'], named_as_human: false },
    simulated: true,
    raw_counts: false,
    warnings: [],
    umap_url: '/umap/tumour_one.png',
    version: '1',
    ...overrides,
  };
}

export function genePlot(gene: string, plot_type: GenePlot['plot_type'] = 'umap'): GenePlot {
  return {
    gene,
    plot_type,
    // The first bytes of a PNG are enough to be taken for one.
    image: { value: 'data:image/png;base64,iVBORw0KGgo=', width: 1200, height: 1000 },
    figure: {},
    source: { dataset_filename: 'tumour_one', version: '1', content: { kind: `gene-${plot_type}`, gene } },
  };
}
