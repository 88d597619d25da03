import type { Page } from '@playwright/test';
import { countShifts, expectAccessible, expectPainted } from './support/page-checks.ts';
import { explorerAddress, library } from './support/explorer.ts';
import { becomeNewUser, newAccount } from './support/accounts.ts';
import { slowPages } from './support/slow-pages.ts';
import { expect, test } from './support/test.ts';

const screens = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

async function firstPaint(page: Page, path: string) {
  await page.addInitScript(() => {
    const largest: { text: string }[] = [];
    Object.assign(globalThis, { largest });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        largest.push({ text: (entry as unknown as { element: Element | null }).element?.textContent ?? '' });
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(path);
  const scriptsBefore = async () => {
    await expectPainted(page);
    return page.evaluate(() => {
      const painted = performance.getEntriesByName('first-contentful-paint')[0]!.startTime;
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < painted)
        .map(({ name }) => name);
    });
  };
  const largest = async () => {
    // The browser tells of it some time after it was painted.
    const handle = await page.waitForFunction(
      () => (globalThis as unknown as { largest: { text: string }[] }).largest.at(-1)?.text,
    );
    return handle.jsonValue();
  };
  return { scriptsBefore, largest };
}

test('sign-in and the dataset selector are painted from the first answer, which holds no user data', async ({
  page,
}) => {
  await becomeNewUser(page);
  for (const [path, loaded] of [
    ['/dataset-selector', 'Browse Custom Files'],
    ['/explorer', 'No Dataset Selected'],
  ] as const) {
    const { scriptsBefore } = await firstPaint(page, path);
    await expect(page.getByText(loaded)).toBeVisible();
    expect(await scriptsBefore(), path).toEqual([]);
  }
  // From a page that asks for nothing meanwhile.
  await page.goto('/features');
  await page.evaluate(() => localStorage.clear());
  // Where the picture of a dataset is further down, a text of the first answer is the largest thing to the end.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/auth', '/dataset-selector']) {
    const first = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text();
    expect(first).not.toContain('@cellfolio.test');
    const { scriptsBefore, largest } = await firstPaint(page, path);
    await expect(page.getByText(path === '/auth' ? 'Demo accounts' : 'Dataset Preview')).toBeVisible();
    expect(await scriptsBefore(), path).toEqual([]);
    expect(first, path).toContain(await largest());
  }
});

test('the selector requests its code at once and no other, and nothing slow stops a phone that draws it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await becomeNewUser(page);
  await page.addInitScript(() => {
    const slow: string[] = [];
    Object.assign(globalThis, { slow });
    // Makes the browser lay the page out at once, in the middle of what is drawn.
    const size = Element.prototype.getBoundingClientRect;
    Element.prototype.getBoundingClientRect = function () {
      slow.push('getBoundingClientRect');
      return size.call(this);
    };
    // The first of each kind takes a phone up to a tenth of a second.
    for (const kind of ['NumberFormat', 'DateTimeFormat', 'Collator'] as const) {
      const construct = (target: object, args: unknown[]) => {
        slow.push(kind);
        return Reflect.construct(target as new () => object, args) as object;
      };
      Intl[kind] = new Proxy<never>(Intl[kind] as never, { construct });
    }
  });
  const code = async (path: string, loaded: string) => {
    const first = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text();
    await page.goto(path);
    await expect(page.getByText(loaded)).toBeVisible();
    // Asked of this page, as the one before it may still call the server when it is left.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/')),
    );
    const scripts = await page.evaluate(() => {
      const files = performance.getEntriesByType('resource');
      const firstCallTime = files.find(({ name }) => name.includes('/api/'))?.startTime ?? 0;
      return files
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < firstCallTime)
        .map(({ name }) => new URL(name).pathname);
    });
    const texts = await Promise.all(scripts.map(async (file) => (await page.request.get(file)).text()));
    return { late: scripts.filter((file) => !first.includes(`"${file}"`)), all: texts.join('\n') };
  };
  const { late, all } = await code('/dataset-selector', 'No H5AD files uploaded yet');
  expect(late).toEqual([]);
  expect(await page.evaluate(() => (globalThis as unknown as { slow: string[] }).slow)).toEqual([]);
  // Schemas of what only other pages ask for would all be made before this one is drawn.
  for (const schema of ['CatalogueDataset', 'ProcessingRecord', 'OwnFiles']) {
    expect(all.includes(schema), schema).toBe(schema === 'CatalogueDataset');
  }
  expect((await code('/upload-data', 'Upload Data')).all).toContain('ProcessingRecord');
});

test('nothing moves while the tool loads, on three screens', async ({ page }) => {
  const shifts = await countShifts(page);
  for (const screen of screens) {
    const at = `at ${screen.width} pixels`;
    await page.setViewportSize(screen);
    await page.goto('/auth');
    await expect(page.getByText('Demo accounts')).toBeVisible();
    expect(await shifts(), `/auth ${at}`).toBeLessThan(0.02);
    await page.goto('/dataset-selector');
    await expect(page.getByRole('searchbox')).toBeVisible();
    expect(await shifts(), `as a visitor ${at}`).toBeLessThan(0.02);
  }
  await becomeNewUser(page);
  const browser = await page.context().newCDPSession(page);
  for (const screen of screens) {
    const at = `at ${screen.width} pixels`;
    // As when somebody comes for the first time.
    await browser.send('Network.clearBrowserCache');
    await page.setViewportSize(screen);
    await page.goto('/dataset-selector');
    await expect(page.getByText('No H5AD files uploaded yet')).toBeVisible();
    expect(await shifts(), `signed in ${at}`).toBeLessThan(0.02);
    if (screen.width < 768) continue;
    await page.goto(explorerAddress);
    await expect(library(page).getByText('Always here')).toBeVisible();
    await expect(library(page).getByText('Loading your images...')).toHaveCount(0);
    expect(await shifts(), `explorer ${at}`).toBeLessThan(0.02);
  }
});

test('what is typed before the code of sign-in has come is kept, sent to no address, and signs in', async ({
  page,
}) => {
  const account = await newAccount();
  let come: () => void = () => {};
  const gate = new Promise<void>((done) => (come = done));
  await page.route('**/assets/*.js', async (route) => {
    await gate;
    await route.continue();
  });
  await page.goto('/auth');
  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await expect(submit).toBeDisabled();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.keyboard.press('Enter');
  // However it is sent: the event goes out, as from a browser that ignores the button.
  await page.evaluate(() => document.querySelector('form')?.requestSubmit());
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.locator('form')).toHaveAttribute('method', 'post');
  come();
  // Sent as soon as it can be, without another key.
  await expect(page).toHaveURL(/\/dataset-selector$/);
});

test('a page that is followed to has the focus on its heading, without a ring, also where it is replaced while the explorer loads; one that is opened has not', async ({
  page,
}) => {
  await page.goto(
    '/dataset-selector?disease=Breast+Cancer&subdisease=Triple-negative&dataset=demo-breast-triple-negative.h5ad',
  );
  await expect(page.getByRole('searchbox')).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  const { email, password } = await newAccount();
  await page.getByRole('link', { name: 'Explore Dataset' }).press('Enter');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Welcome to Cellfolio');
  await expect(heading).toBeFocused();
  expect(await heading.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
  // From there the keyboard goes on into the page.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('tab', { name: 'Sign In' })).toBeFocused();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^[\d,]+ cells active$/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Explorer' })).toBeFocused();
});

test('a page that comes in two parts is taken over when all of it is there', async ({ page, baseURL }) => {
  let toCode = () => {};
  const code = new Promise<void>((done) => (toCode = done));
  const server = await slowPages(
    baseURL!,
    (path, body) => {
      const half = path === '/explorer' ? body.indexOf('<main') : body.length;
      return half < body.length ? [body.subarray(0, half), body.subarray(half)] : [body];
    },
    async () => {
      await code;
      await new Promise((done) => setTimeout(done, 3000));
    },
    (path) => path.startsWith('/assets/index-') && toCode(),
  );
  // An error while it is taken over would fail the test.
  await page.goto(`${server.address}/explorer`);
  await expect(page).toHaveURL(/\/auth$/);
  // What the page still asks for would be refused.
  await page.goto('about:blank');
  await server.stop();
});
