import type { FigureContent, FigureSource } from '@cellfolio/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostile, writeAnalysisDataset } from '../testing/analysis-dataset.ts';
import { apiClient, startTestServer, type TestServer } from '../testing/running-server.ts';

const id = 'analysis.h5ad';
let server: TestServer;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer({ CONTACT_EMAIL: 'desk@example.org' }, ({ objectRoot }) =>
    writeAnalysisDataset(objectRoot, id),
  );
  for (const tier of ['trial', 'standard', 'professional']) tokens.set(tier, await server.signIn(tier));
});
afterAll(() => server.close());

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function invoke(name: string, tier: string | undefined, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${server.siteUrl}/functions/v1/${name}`, {
    method: 'POST',
    headers: {
      apikey: server.config.publishableKey,
      ...(tier !== undefined && { authorization: `Bearer ${tokens.get(tier)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const planOf = async (tier: string) => (await invoke('check-subscription', tier)).body;
const png = `data:image/png;base64,${Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).toString('base64')}`;

test('the public settings list the available features', () => {
  expect(server.config.features).toMatchObject({
    aiAnalysis: true,
    aiAnalysisKind: 'summary',
    checkout: true,
  });
});

describe('a demo without a payment provider', () => {
  const open = async (name: string, tier: string, body?: object) => {
    const { body: answer } = await invoke(name, tier, body);
    return String(answer['url']);
  };
  const press = (url: string) =>
    fetch(url.split('?')[0]!, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URL(url).searchParams,
    });

  test('the test page grants a month of Standard, and the portal ends it', async () => {
    expect(await planOf('trial')).toMatchObject({ subscribed: false, subscription_tier: null });
    const url = await open('create-checkout', 'trial', { plan: 'standard' });
    expect(url).toMatch(new RegExp(`^${server.siteUrl}/functions/v1/test-checkout\\?token=[\\w-]{43}$`));
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const html = await page.text();
    expect(html).toContain('Test mode: no money is taken');
    expect(html).toContain('trial@demo.cellfolio.test');
    expect(html).not.toContain('<script');
    expect(html).toContain('href="/account"');
    // Opening the page buys nothing.
    expect(await planOf('trial')).toMatchObject({ subscribed: false });

    expect(await (await press(url)).text()).toContain('You have the Standard plan');
    const bought = await planOf('trial');
    expect(bought).toMatchObject({ subscribed: true, subscription_tier: 'Standard' });
    const days = (Date.parse(String(bought['subscription_end'])) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(27);
    expect(days).toBeLessThan(32);

    const portal = await open('customer-portal', 'trial');
    expect(await (await fetch(portal)).text()).toContain('Plan: Standard until');
    expect((await press(portal)).status).toBe(200);
    expect(await planOf('trial')).toEqual({
      subscribed: false,
      subscription_tier: null,
      subscription_end: null,
    });
  });

  test('a link works once and for its purpose only, and a forged one never', async () => {
    const url = await open('create-checkout', 'trial', { plan: 'standard' });
    const elsewhere = url.replace('test-checkout', 'test-portal');
    expect((await fetch(elsewhere)).status).toBe(410);
    expect((await press(elsewhere)).status).toBe(410);
    expect((await press(url)).status).toBe(200);
    expect((await press(url)).status).toBe(410);
    expect((await fetch(url)).status).toBe(410);
    for (const token of ['', 'x', "'; drop table auth.users --", 'é'.repeat(200)]) {
      const invented = `${server.siteUrl}/functions/v1/test-checkout?token=${encodeURIComponent(token)}`;
      expect((await press(invented)).status).toBe(410);
      expect((await fetch(invented)).status).toBe(410);
    }
    await press(await open('customer-portal', 'trial'));
  });

  test('Professional is Coming Soon, and a plan granted by the operator stays when a test plan ends', async () => {
    expect(await invoke('create-checkout', 'trial', { plan: 'professional' })).toMatchObject({
      status: 400,
      body: { code: 'plan_not_available', error: expect.stringContaining('Coming Soon') },
    });
    const portal = async () => (await fetch(await open('customer-portal', 'standard'))).text();
    expect(await portal()).toContain('nothing to cancel');
    expect(await portal()).not.toContain('<button>');
    await press(await open('create-checkout', 'standard', { plan: 'standard' }));
    expect(await portal()).toContain('<button>');
    await press(await open('customer-portal', 'standard'));
    expect(await planOf('standard')).toEqual({
      subscribed: true,
      subscription_tier: 'Standard',
      subscription_end: null,
    });
  });

  test('a message of the contact page becomes a mail in the data folder', async () => {
    const { readdir, readFile } = await import('node:fs/promises');
    const folder = `${server.settings.dataDir}/mail`;
    const message = { name: 'Ada', email: 'ada@example.org', subject: 'Hello', message: 'How are you?' };
    expect(await invoke('send-contact-email', undefined, message)).toMatchObject({ status: 200 });
    const [name] = await readdir(folder);
    const mail = await readFile(`${folder}/${name}`, 'utf8');
    expect(mail).toMatch(/^To: desk@example\.org\r?$/m);
    expect(mail).toMatch(/^Reply-To: "?Ada"? <ada@example\.org>\r?$/m);
  });
});

describe('an analysis without a model', () => {
  const plot = async (path: string, body: object) => {
    const api = apiClient(server, tokens.get('professional')!, 'functions');
    await api.get(`/api/dataset_analysis/${id}`);
    const answer = await api.post(path, body);
    return answer.body as { plots: { figure: unknown; source: FigureSource; image: { value: string } }[] };
  };
  const analyse = (body: object, tier = 'professional') =>
    invoke('analyze-image', tier, { imageUrl: png, filename: 'figure.png', prompt: '', ...body });
  const source = (content: FigureContent): FigureSource => ({ dataset_filename: id, content });

  test('the numbers of a figure of the explorer are summarised in words, labelled as a summary', async () => {
    const { plots } = await plot('/api/plot-umap-with-genes', { genes: ['GENE1'], violin_plot: true });
    const [umap, violin] = plots;
    const umapAnalysis = await analyse({ imageUrl: umap!.image.value, figure: umap!.figure });
    expect(umapAnalysis.status).toBe(200);
    expect(umapAnalysis.body).toMatchObject({
      kind: 'summary',
      label: "Summary computed from the figure's numbers; no model is configured",
    });
    const { expressing } = umap!.figure as { expressing: number };
    expect(umapAnalysis.body['analysis']).toContain(`GENE1`);
    expect(umapAnalysis.body['analysis']).toContain(`shows 240 cells`);
    expect(umapAnalysis.body['analysis']).toContain(`${expressing} of them`);
    expect(umapAnalysis.body['analysis']).toContain('no model is configured');
    const violinAnalysis = await analyse({ imageUrl: violin!.image.value, figure: violin!.figure });
    // GENE1 is a marker of B cells.
    expect(violinAnalysis.body['analysis']).toMatch(/highest first: B cell \(mean 2\.\d+/);
  });

  test.each<[FigureContent['kind'], FigureContent, RegExp]>([
    [
      'category-umap',
      { kind: 'category-umap' },
      /240 cells, colored by Cell type: 3 groups[\s\S]*80, 33\.3 %/,
    ],
    [
      'highlight-umap',
      { kind: 'highlight-umap', of: 'cell-type', cell_type: 'B cell' },
      /shows 240 cells[\s\S]*80 of them \(33\.3 %\) are highlighted/,
    ],
    [
      'score-violin',
      { kind: 'score-violin', of: 'signature', score_name: 'mine', genes: ['GENE1', 'GENE2', 'GENE3'] },
      /mine in [\s\S]*B cell \(mean/,
    ],
    [
      'score-umap',
      { kind: 'score-umap', of: 'signature', score_name: 'mine', genes: ['GENE1', 'GENE2'] },
      /Scores go from −?\d/,
    ],
    [
      'obs-umap',
      { kind: 'obs-umap', column: 'depth' },
      /colored by Depth\. All 240 cells have the value 1\./,
    ],
    [
      'dot-plot',
      {
        kind: 'dot-plot',
        groupby: 'cell_type',
        n_genes: 3,
        pvals_adj: 0.05,
        logfoldchanges: 0.25,
        method: 'wilcoxon',
        tie_correct: false,
        sparse_genes: 'approximate',
        pseudocount: 1e-9,
        depth: 'as-measured',
        min_cells: 3,
        unlabelled: 'reference',
        unassigned: 'groups',
      },
      /B cell: GENE\d+ \(mean \d/,
    ],
  ])('a %s is drawn again from its source for its numbers', async (_kind, content, words) => {
    const { status, body } = await analyse({ source: source(content) });
    expect(status).toBe(200);
    expect(body['analysis']).toMatch(words);
  });

  test('the address of a UMAP of this server gives the image and its numbers', async () => {
    for (const imageUrl of [
      `/api/datasets/${id}/umap.png?version=1`,
      `${server.siteUrl}/api/datasets/${id}/umap.png`,
    ]) {
      const { status, body } = await analyse({ imageUrl });
      expect(status).toBe(200);
      expect(body['analysis']).toContain(hostile);
    }
    expect(await analyse({ imageUrl: '/api/datasets/nothing.h5ad/umap.png' })).toMatchObject({
      status: 400,
      body: { code: 'image_not_ours' },
    });
    expect(await analyse({ imageUrl: '/config.json' })).toMatchObject({ status: 400 });
  });

  test('an image without numbers cannot be summarised', async () => {
    const refused = { status: 422, body: { code: 'no_numbers' } };
    expect(await analyse({})).toMatchObject(refused);
    expect(await analyse({ figure: { kind: 'gene-umap' } })).toMatchObject(refused);
    expect(await analyse({ source: source({ kind: 'gene-umap', gene: 'NOTHERE' }) })).toMatchObject(refused);
    const old = { ...source({ kind: 'category-umap' }), version: 'of another day' };
    expect(await analyse({ source: old })).toMatchObject(refused);
  });

  test.each(['trial', 'standard'])('the %s account gets the name of the required plan', async (tier) => {
    expect(await analyse({}, tier)).toMatchObject({
      status: 403,
      body: {
        code: 'professional_plan_required',
        error: expect.stringContaining('Professional Plan Required'),
      },
    });
  });
});
