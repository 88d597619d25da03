import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LoadingOverlay } from '@/features/explore/loading-overlay.tsx';
import { atlas, opened } from '../own-data.fixture.tsx';
import { json } from '@/testing/fakes.ts';
import { endedJob, testId, testJob } from '@/testing/own-jobs.ts';
import { notifyFinished, withFinishNotice } from './notify-finished.tsx';

interface Shown {
  title: string;
  body: string | undefined;
  tag: string | undefined;
  click: () => void;
}
let shown: Shown[];
let hidden: boolean;
let number = 700;

function browser(permission: NotificationPermission, answer: NotificationPermission = permission) {
  class FakeNotification extends EventTarget {
    static permission = permission;
    static requestPermission = vi.fn(async () => (FakeNotification.permission = answer));
    close = vi.fn();
    constructor(title: string, { body, tag }: NotificationOptions = {}) {
      super();
      shown.push({ title, body, tag, click: () => void this.dispatchEvent(new Event('click')) });
    }
  }
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('Notification', FakeNotification);
  return FakeNotification;
}

function look(away: boolean) {
  hidden = away;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

beforeEach(() => {
  shown = [];
  hidden = false;
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => hidden);
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => (hidden ? 'hidden' : 'visible'));
});
afterEach(() => {
  look(false);
  vi.restoreAllMocks();
  vi.stubGlobal('isSecureContext', false);
});

describe('a job that ends while another tab is looked at', () => {
  test.each([
    ['done', '✓ Dataset ready', 'atlas.h5ad'],
    ['failed', '✗ Dataset build failed', 'atlas.h5ad: This is no atlas.'],
  ] as const)('%s: the title says so until it is seen, and a notification', async (state, line, body) => {
    browser('granted');
    vi.spyOn(window, 'focus').mockImplementation(() => {});
    const id = testId(number++);
    const { tell } = opened([atlas], { jobs: [testJob({ id })] });
    expect(await screen.findByText('You will be notified when it is done.')).toBeVisible();
    look(true);
    const problem = state === 'failed' ? { code: 'x', message: 'This is no atlas.' } : null;
    tell({ jobs: [endedJob(state, { id, problem })] });
    await waitFor(() => expect(document.title).toBe(`${line} · Cellfolio`));
    expect(shown).toMatchObject([{ title: line, body, tag: testId(1) }]);
    shown[0]?.click();
    expect(window.focus).toHaveBeenCalled();
    look(false);
    expect(document.title).toBe('Upload Data · Cellfolio');
  });

  test('is notified on other pages of the tool as well, once, and polling stops', async () => {
    browser('granted');
    const id = testId(number++);
    const { fake, tell, user } = opened([atlas], { jobs: [testJob({ id })] });
    await screen.findByText('You will be notified when it is done.');
    fake.answer('/api/dataset_metadata', () => json({}));
    await user.click(screen.getAllByRole('link', { name: 'Dataset Selector' })[0]!);
    await screen.findByText('No diseases available');
    look(true);
    tell({ jobs: [endedJob('done', { id })] });
    await waitFor(() => expect(shown).toHaveLength(1));
    const requestCount = () => fake.requests.filter(({ path }) => path === '/api/own-files').length;
    const before = requestCount();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(requestCount()).toBe(before);
    expect(shown).toHaveLength(1);
  });

  test('is not notified in a visible tab, for cancelled jobs, or for jobs that had ended before', async () => {
    browser('granted');
    const [completed, cancelled, old] = [testId(number++), testId(number++), testId(number++)];
    const { tell } = opened([atlas], {
      jobs: [testJob({ id: completed }), testJob({ id: cancelled }), endedJob('done', { id: old })],
    });
    await screen.findByText('You will be notified when it is done.');
    tell({
      jobs: [endedJob('done', { id: completed }), testJob({ id: cancelled }), endedJob('done', { id: old })],
    });
    await waitFor(() => expect(screen.getAllByText('Done')).toHaveLength(2));
    look(true);
    tell({
      jobs: [
        endedJob('done', { id: completed }),
        endedJob('cancelled', { id: cancelled }),
        endedJob('done', { id: old }),
      ],
    });
    await screen.findByText('Canceled');
    expect(document.title).toBe('Upload Data · Cellfolio');
    expect(shown).toEqual([]);
  });
});

describe('the button that allows notifications', () => {
  const running = { jobs: [testJob()] };

  test('asks the browser when it is pressed, and never before', async () => {
    const { requestPermission } = browser('default', 'granted');
    const { user } = opened([atlas], running);
    const button = await screen.findByRole('button', { name: 'Notify me when it is done' });
    expect(requestPermission).not.toHaveBeenCalled();
    await user.click(button);
    expect(requestPermission).toHaveBeenCalledTimes(1);
    expect(await screen.findByText('You will be notified when it is done.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Notify me when it is done' })).toBeNull();
  });

  test('says so if the browser refuses; the title is set anyway', async () => {
    browser('default', 'denied');
    opened([atlas], running);
    fireEvent.click(await screen.findByRole('button', { name: 'Notify me when it is done' }));
    expect(await screen.findByText('This browser blocks notifications of this site.')).toBeVisible();
    look(true);
    notifyFinished({ title: 'Dataset ready', text: 'atlas', failed: false, tag: 'x' });
    expect(document.title).toBe('✓ Dataset ready · Cellfolio');
    expect(shown).toEqual([]);
  });

  test('is shown beside a long analysis with a notification, and nowhere else', () => {
    browser('default');
    const operation = { title: 'Running', text: '', progress: null, onCancel: () => {} };
    const { rerender } = render(
      <LoadingOverlay operations={[{ ...operation, slow: true, notifies: true }]} />,
    );
    expect(screen.getByRole('button', { name: 'Notify me when it is done' })).toBeVisible();
    for (const other of [
      { slow: false, notifies: true },
      { slow: true, notifies: false },
    ]) {
      rerender(<LoadingOverlay operations={[{ ...operation, ...other }]} />);
      expect(screen.queryByRole('button', { name: 'Notify me when it is done' })).toBeNull();
    }
  });

  test('is absent where the browser has no notifications, and where nothing runs', async () => {
    vi.stubGlobal('isSecureContext', false);
    const { unmount } = opened([atlas], running);
    await screen.findByText('Finding neighbors');
    expect(screen.queryByText(/otif/)).toBeNull();
    unmount();
    browser('default');
    opened([atlas], { jobs: [endedJob('done')] });
    await screen.findByText('Done');
    expect(screen.queryByRole('button', { name: 'Notify me when it is done' })).toBeNull();
  });
});

describe('an analysis', () => {
  const about = { what: 'Marker analysis', text: 'tumour_one' };
  const took = (milliseconds: number) =>
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(milliseconds);

  test('of some seconds is announced when it ends, also when it fails, and hands on its result', async () => {
    browser('granted');
    look(true);
    took(4000);
    expect(await withFinishNotice(about, Promise.resolve(7))).toBe(7);
    expect(document.title).toBe('✓ Marker analysis complete · Cellfolio');
    took(4000);
    await expect(withFinishNotice(about, Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(shown.map(({ title }) => title)).toEqual([
      '✓ Marker analysis complete',
      '✗ Marker analysis failed',
    ]);
  });

  test('that is short, or cancelled, is not announced', async () => {
    browser('granted');
    look(true);
    took(1000);
    await withFinishNotice(about, Promise.resolve(7));
    took(4000);
    const cancelled = Object.assign(new Error('gone'), { name: 'AbortError' });
    await expect(withFinishNotice(about, Promise.reject(cancelled))).rejects.toBe(cancelled);
    expect(shown).toEqual([]);
  });
});
