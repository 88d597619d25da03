import { countShifts, expectAccessible, expectAlive, expectPainted } from './support/page-checks.ts';
import { expect, signIn, test } from './support/test.ts';

const pages = ['/', '/features', '/pricing', '/demo', '/contact', '/consulting', '/blog'] as const;
const desk = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 390, height: 844 };

for (const { screen, smaller, colorScheme } of [
  { screen: desk, smaller: tablet, colorScheme: 'light' },
  { screen: phone, smaller: null, colorScheme: 'dark' },
] as const) {
  test(`every public page fits ${screen.width} pixels, moves nothing while it loads and hinders nobody, ${colorScheme}`, async ({
    page,
  }) => {
    const shifts = await countShifts(page);
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of pages) {
      await page.goto(path);
      await expectAlive(page);
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      expect(await shifts(), path).toBeLessThan(0.01);
      await expectAccessible(page);
      if (smaller === null) continue;
      await page.setViewportSize(smaller);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${path} at ${smaller.width}`).toBeLessThanOrEqual(smaller.width);
      await page.setViewportSize(screen);
    }
  });
}

test('a visitor looks at the demo by keyboard and comes to the trial; nothing is asked of other sites', async ({
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
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Start Exploring' })).toHaveAttribute(
    'href',
    '/dataset-selector',
  );
  await expect(page.getByText('Cell type', { exact: true })).toBeVisible();
  // Reduced motion: the picture is there, and stands still until somebody wants it to move.
  const play = page.getByRole('button', { name: 'Play animation' });
  await expect(play).toBeVisible();
  await play.click();
  await expect.poll(frames).toBeGreaterThan(3);
  // Off the screen it rests: no frame is drawn that nobody sees.
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
  await expect
    .poll(async () => {
      const before = await frames();
      await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
      return (await frames()) - before;
    })
    .toBe(0);
  await page.evaluate(() => scrollTo(0, 0));
  const rested = await frames();
  await expect.poll(frames).toBeGreaterThan(rested);
  await page.getByRole('button', { name: 'Pause animation' }).click();
  await page.getByRole('link', { name: 'View Demo' }).click();
  await expect(page.getByText('Step 1 of 7')).toBeVisible();
  await expectAlive(page);
  for (let step = 2; step <= 7; step++) {
    await page.keyboard.press('ArrowRight');
    await expect(page.getByText(`Step ${step} of 7`)).toBeVisible();
    const figure = page.getByRole('main').getByRole('img');
    await expect
      .poll(() => figure.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(600);
  }
  await page.getByRole('link', { name: 'Start Free Trial' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  expect(strangers).toEqual([]);
});

test('the cells of the landing page move by themselves, and rest when they are told to', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  const pause = page.getByRole('button', { name: 'Pause animation' });
  await expect(pause).toBeVisible();
  const cloud = page.locator('canvas');
  const picture = async () => (await cloud.screenshot()).toString('base64');
  const seen = new Set<string>();
  await expect
    .poll(async () => {
      seen.add(await picture());
      return seen.size;
    })
    .toBeGreaterThan(3);
  await pause.click();
  await expect(page.getByRole('button', { name: 'Play animation' })).toBeVisible();
  const rested = await picture();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 600)));
  expect((await picture()) === rested, 'the picture stands').toBe(true);
});

test('the bar and the plans follow the session, also of another tab', async ({ page, context, account }) => {
  await page.goto('/pricing?trial_expired=true');
  await expect(page.getByRole('alert')).toHaveText(
    'Your 7-day free trial has expired. Please upgrade to continue using the platform.',
  );
  await expect(page.getByRole('link', { name: 'Log In to Upgrade' })).toHaveAttribute('href', '/auth');
  await expect(page.getByRole('button', { name: 'Coming Soon' })).toBeDisabled();
  const other = await context.newPage();
  await signIn(other, account);
  await expect(page.getByRole('button', { name: 'Get Started' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Account' })).toHaveAttribute('href', '/account');
  await page.goto('/consulting');
  await expect(page.getByRole('link', { name: 'Account' })).toBeVisible();
  await other.getByRole('button', { name: /Signed in as/ }).click();
  await other.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible();
});

test('a visitor writes to the team, and the message is kept', async ({ page }) => {
  await page.goto('/contact');
  await expectAlive(page);
  const send = page.getByRole('button', { name: 'Send Message' });
  await send.click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill('ada@lab.example');
  await page.getByLabel('Message').fill('Which tumours are in the catalogue?');
  const kept = page.waitForResponse(/contact_submissions/);
  await send.click();
  expect((await kept).status()).toBe(201);
  await expect(page.getByText(/Message Sent Successfully|Message Saved/)).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('');
});

test('on a phone the pages are behind a menu that the keyboard opens and closes; an unknown path leads home', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/consulting');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expectAlive(page);
  await expect(menu).toBeHidden();
  await page.getByRole('button', { name: 'Open menu' }).press('Enter');
  await expect(menu.getByRole('link', { name: 'Pricing' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();

  const logged = page.waitForEvent('console', (message) => message.type() === 'warning');
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  expect((await logged).text()).toContain('/no/such/page');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('See any gene in every cell.');
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

test('the first public page needs less than 120 kB of script, packed as gzip packs', async ({ page }) => {
  const { gzipSync } = await import('node:zlib');
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js'))
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Play animation' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(120_000);
});

test('the code of a public page is asked for when the page is painted, and not before', async ({ page }) => {
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
  }
});

const pictures = [
  ['/', 'landing', desk, 'light'],
  ['/', 'landing', tablet, 'dark'],
  ['/', 'landing', phone, 'light'],
  ['/features', 'features', desk, 'dark'],
  ['/features', 'features', phone, 'light'],
  ['/pricing', 'pricing', desk, 'light'],
  ['/pricing', 'pricing', phone, 'dark'],
  ['/demo', 'demo', tablet, 'light'],
  ['/consulting', 'consulting', tablet, 'light'],
  ['/contact', 'contact', phone, 'light'],
  ['/blog', 'blog', tablet, 'light'],
] as const;

test('public pages look as they did, on three screens, light and dark', async ({ page }) => {
  for (const [path, name, screen, colorScheme] of pictures) {
    await page.setViewportSize(screen);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(path);
    await expectAlive(page);
    await page.evaluate(() => document.fonts.ready);
    if (path === '/') await expect(page.getByRole('button', { name: 'Play animation' })).toBeVisible();
    // Letters are ours, but browsers smooth them as they like.
    await expect(page).toHaveScreenshot(`${name}-${screen.width}-${colorScheme}.png`, {
      maxDiffPixelRatio: 0.03,
      animations: 'disabled',
    });
  }
});
