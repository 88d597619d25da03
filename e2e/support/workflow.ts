import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';

interface Actions {
  /** Presses of the pointer; a drag is one. */
  clicks: number;
  /** Presses of Enter and Escape, and of the space bar on a control. What is typed into a field is not counted. */
  keys: number;
}

/** Actions that each workflow takes, by its name: the rows of the table in docs/workflows.md, which is their one place. */
export const workflows: ReadonlyMap<string, Actions> = new Map(
  readFileSync(new URL('../../docs/workflows.md', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && /^\d+$/.test(cells[3]!))
    .map(([, name, , clicks, keys]) => [name!, { clicks: Number(clicks), keys: Number(keys) }]),
);

/** Counts in the storage of the page's tab, which outlives navigations. */
function watchActions(): void {
  if ('countsActions' in window) return;
  Object.assign(window, { countsActions: true });
  const add = (kind: string) =>
    sessionStorage.setItem(kind, String(Number(sessionStorage.getItem(kind)) + 1));
  const isField = (target: EventTarget | null) =>
    target instanceof HTMLInputElement
      ? !['checkbox', 'radio', 'range'].includes(target.type)
      : target instanceof HTMLTextAreaElement;
  // Not on the window: there Playwright stops a click whose target has moved, and tries it again.
  document.addEventListener('pointerdown', () => add('clicks'), true);
  window.addEventListener(
    'keydown',
    ({ key, target }) => {
      if (key === 'Enter' || key === 'Escape' || (key === ' ' && !isField(target))) add('keys');
    },
    true,
  );
}

async function actionsOn(page: Page): Promise<Actions> {
  const [clicks, keys] = await page.evaluate(() =>
    ['clicks', 'keys'].map((kind) => Number(sessionStorage.getItem(kind))),
  );
  return { clicks: clicks!, keys: keys! };
}

interface End {
  /** Shown on the last screen. */
  answer: Locator;
  /** Controls of the last screen that lead on; each can be used. */
  next: readonly Locator[];
}

export interface Workflow {
  /** Looks at what is not part of the workflow, without counting it. */
  aside: <T>(look: () => Promise<T>) => Promise<T>;
  /** Expects the answer, a way on from it, and as many actions as the table says. */
  end: (screen: End) => Promise<void>;
}

/** Counts a user's actions from here on, on an open page. */
export async function beginWorkflow(page: Page, name: string): Promise<Workflow> {
  const stated = workflows.get(name);
  if (stated === undefined) throw new Error(`docs/workflows.md has no row “${name}”`);
  // On the page that is open, and on those that it leads to.
  await page.addInitScript(watchActions);
  await page.evaluate(watchActions);
  const start = await actionsOn(page);
  const besides: Actions = { clicks: 0, keys: 0 };
  const taken = async (): Promise<Actions> => {
    const now = await actionsOn(page);
    return {
      clicks: now.clicks - start.clicks - besides.clicks,
      keys: now.keys - start.keys - besides.keys,
    };
  };
  return {
    aside: async (look) => {
      const before = await taken();
      const seen = await look();
      const after = await taken();
      besides.clicks += after.clicks - before.clicks;
      besides.keys += after.keys - before.keys;
      return seen;
    },
    end: async (screen) => {
      await expectNoDeadEnd(page, screen);
      // Softly, so that one run says all counts that a change altered.
      expect.soft(await taken(), `actions of “${name}”`).toEqual(stated);
    },
  };
}

async function expectNoDeadEnd(page: Page, { answer, next }: End): Promise<void> {
  await expect(answer.first()).toBeVisible();
  expect(next.length).toBeGreaterThan(0);
  for (const control of next) await expect(control.first()).toBeEnabled();
  await expect(page.locator('[data-sonner-toast][data-type=error]')).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveCount(0);
  const dialog = page.getByRole('dialog').last();
  if ((await dialog.count()) > 0) {
    await expect(dialog.getByRole('button', { name: 'Close' })).toBeVisible();
    await expect(dialog.locator(':focus').or(dialog.and(page.locator(':focus')))).toHaveCount(1);
  }
  // Where the keyboard goes on: a control that went away leaves the focus to the page.
  await expect(page.locator('body')).not.toBeFocused();
}
