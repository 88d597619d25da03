import {
  countShifts,
  expectAccessible,
  expectAlive,
  expectNoWiderThanScreen,
  expectPainted,
} from './support/page-checks.ts';
import { becomeNewUser } from './support/accounts.ts';
import { slowPages } from './support/slow-pages.ts';
import { expect, test } from './support/test.ts';

const pages = ['/', '/features', '/pricing', '/demo', '/contact', '/consulting', '/blog'] as const;
const desk = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 390, height: 844 };

/** Screenshots to compare, in addition to the default of each page: light on desktop, dark on a phone. */
const pictures: Readonly<Record<string, readonly (readonly [typeof desk, 'light' | 'dark'])[]>> = {
  '/': [
    [desk, 'light'],
    [tablet, 'dark'],
    [phone, 'light'],
  ],
  '/features': [
    [desk, 'dark'],
    [phone, 'light'],
  ],
  '/pricing': [
    [desk, 'light'],
    [phone, 'dark'],
  ],
  '/demo': [[tablet, 'light']],
  '/consulting': [[tablet, 'light']],
  '/contact': [[phone, 'light']],
  '/blog': [[tablet, 'light']],
};

for (const { screen, screens, colorScheme } of [
  { screen: desk, screens: [desk, tablet], colorScheme: 'light' },
  { screen: phone, screens: [phone], colorScheme: 'dark' },
] as const) {
  test(`every public page fits ${screen.width} pixels, moves nothing while it loads, is accessible and looks as it did, ${colorScheme}`, async ({
    page,
  }) => {
    const shifts = await countShifts(page);
    for (const path of pages) {
      await page.setViewportSize(screen);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.goto(path);
      await expectAlive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      expect(await shifts(), path).toBeLessThan(0.01);
      await expectAccessible(page);
      for (const other of screens.slice(1)) {
        await page.setViewportSize(other);
        await expectNoWiderThanScreen(page);
      }
      await page.evaluate(() => document.fonts.ready);
      if (path === '/') await expect(page.getByRole('button', { name: 'Play animation' })).toBeVisible();
      for (const [size, theme] of pictures[path] ?? []) {
        if (!screens.some(({ width }) => width === size.width)) continue;
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: theme });
        // Letters are ours, but browsers smooth them as they like.
        await expect(page).toHaveScreenshot(`${path.slice(1) || 'landing'}-${size.width}-${theme}.png`, {
          maxDiffPixelRatio: 0.03,
          animations: 'disabled',
        });
      }
    }
  });
}

test('a page that arrives in pieces is painted as it comes, and moves nothing of what is there', async ({
  page,
  baseURL,
}) => {
  const shifts = await countShifts(page);
  const server = await slowPages(
    baseURL!,
    (path, body) => {
      if (!(pages as readonly string[]).includes(path)) return [body];
      const step = Math.ceil(body.length / 16);
      return Array.from({ length: 16 }, (_, i) => body.subarray(i * step, (i + 1) * step));
    },
    () => new Promise((done) => setTimeout(done, 100)),
  );
  for (const [path, screen] of [...pages.map((path) => [path, phone] as const), ['/demo', tablet] as const]) {
    await page.setViewportSize(screen);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(`${server.address}${path}`);
    await expectPainted(page);
    expect(await shifts(), `${path} at ${screen.width}`).toBeLessThan(0.01);
  }
  await page.goto('about:blank');
  await server.stop();
});

test('the cells of the landing page move while visible and stop on request; the demo leads by keyboard to the trial; no other site is contacted', async ({
  page,
  baseURL,
}) => {
  const strangers: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !request.url().startsWith('data:'))
      strangers.push(request.url());
  });
  await page.addInitScript(() => {
    const ask = requestAnimationFrame.bind(globalThis);
    const counted = Object.assign(globalThis, { frames: 0 });
    globalThis.requestAnimationFrame = (draw) =>
      ask((now) => {
        counted.frames++;
        draw(now);
      });
  });
  const frames = () => page.evaluate(() => (globalThis as unknown as { frames: number }).frames);
  const framesIn = (time: number) =>
    page.evaluate(async (wait) => {
      const counted = globalThis as unknown as { frames: number };
      const before = counted.frames;
      await new Promise((done) => setTimeout(done, wait));
      return counted.frames - before;
    }, time);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Start Exploring' })).toHaveAttribute(
    'href',
    '/dataset-selector',
  );
  const pause = page.getByRole('button', { name: 'Pause animation' });
  const cloud = page.locator('canvas');
  const picture = async () => (await cloud.screenshot()).toString('base64');
  await expect(pause).toBeVisible();
  const first = await picture();
  await expect.poll(async () => (await picture()) === first).toBe(false);
  // Off the screen it rests: no frame is drawn that nobody sees.
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect.poll(() => framesIn(300)).toBe(0);
  await page.evaluate(() => scrollTo(0, 0));
  const rested = await frames();
  await expect.poll(frames).toBeGreaterThan(rested);
  await pause.click();
  const play = page.getByRole('button', { name: 'Play animation' });
  await expect(play).toBeVisible();
  const still = await picture();
  await framesIn(600);
  expect((await picture()) === still, 'the picture stands').toBe(true);
  await play.click();
  await expect(pause).toBeVisible();

  await page.getByRole('link', { name: 'View Demo' }).click();
  await page.getByRole('link', { name: 'Demo in seven steps' }).click();
  await expect(page.getByText('Step 1 of 7')).toBeVisible();
  await expectAlive(page);
  const figure = page.getByRole('main').getByRole('img');
  for (let step = 2; step <= 7; step++) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(`Step ${step} of 7`)).toBeVisible();
    await expect
      .poll(() => figure.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(600);
  }
  await page.getByRole('link', { name: 'Start Free Trial' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  expect(strangers).toEqual([]);
});

test('the bar and the plans follow the session, also of another tab', async ({ page, context }) => {
  await page.goto('/pricing?trial_expired=true');
  await expect(page.getByRole('link', { name: 'Log In to Upgrade' })).toBeVisible();
  const other = await context.newPage();
  await becomeNewUser(other);
  await other.goto('/account');
  await expect(page.getByRole('button', { name: 'Get Started' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
  await other.getByRole('button', { name: /Signed in as/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
});

test('on a phone the pages are behind a menu that the keyboard opens and closes; a visitor writes to the team, and the message is kept', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/contact');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expectAlive(page);
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).press('Enter');
  await expect(menu.getByRole('link', { name: 'Pricing' })).toBeVisible();
  await expectAccessible(page, page.getByRole('banner'));
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();

  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill('ada@lab.example');
  await page.getByLabel('Message').fill('Which tumours are in the catalog?');
  const submission = page.waitForResponse(/contact_submissions/);
  await page.getByRole('button', { name: 'Send Message' }).click();
  expect((await submission).status()).toBe(201);
  await expect(page.getByText(/Message Sent Successfully|Message Saved/)).toBeVisible();
});

test('public pages are whole without a script, and say who they are to machines', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  for (const path of pages) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new URL(path, baseURL).href);
    await expect(page.locator('meta[property="og:image"]')).toHaveAttribute(
      'content',
      /^https?:\/\/.*\.png$/,
    );
    await expect(page.locator('meta[name=description]')).toHaveCount(1);
    await expect(page.locator('head > title')).toHaveCount(1);
  }
  const sitemap = await (await context.request.get('/sitemap.xml')).text();
  for (const path of pages) expect(sitemap).toContain(`<loc>${new URL(path, baseURL).href}</loc>`);
  expect(await (await context.request.get('/robots.txt')).text()).toContain(
    `Sitemap: ${baseURL}/sitemap.xml`,
  );
  expect(await (await context.request.get('/feed.xml')).text()).toContain('<entry>');
  await context.close();
});

test('the first public page needs less than 120 kB of gzipped script; the code of a public page is requested only when it is painted', async ({
  page,
}) => {
  const { gzipSync } = await import('node:zlib');
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  for (const path of ['/', '/pricing']) {
    await page.goto(path);
    await expectAlive(page);
    await expectPainted(page);
    const { painted, begun, code } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
      begun: performance.getEntriesByType('resource').length,
      code: performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ startTime }) => startTime),
    }));
    expect(begun).toBeGreaterThan(code.length);
    expect(code.length).toBeGreaterThan(5);
    expect(Math.min(...code), path).toBeGreaterThanOrEqual(painted);
    if (path !== '/') continue;
    await expect(page.getByRole('button', { name: 'Play animation' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(120_000);
  }
});
