import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { toast as library } from 'sonner';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { toast } from './toast.ts';
import { Dialog, DialogContent, DialogTitle } from './dialog.tsx';
import { NoticePlace } from './notice-place.tsx';
import { Toaster } from './toaster.tsx';

const card = { left: 16, right: 312, top: 700, bottom: 780 } as DOMRect;
const elsewhere = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 } as DOMRect;
const inside = { clientX: 100, clientY: 740 };
const outside = { clientX: 700, clientY: 300 };

/** The card takes no click; the element beneath it does. */
const through = '[&_[data-sonner-toast]]:!pointer-events-none';
const aside = 'opacity-15';

const list = () => {
  const toaster = document.querySelector('[data-sonner-toaster]');
  if (toaster === null) throw new Error('No notice is shown.');
  return toaster;
};

/** jsdom has no layout: cards are at `card`, above the element from `beneath`. */
function layOut(beneath: () => Element) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return this.matches('[data-sonner-toast]') ? card : elsewhere;
  });
  vi.spyOn(Document.prototype, 'elementsFromPoint').mockImplementation(() => [list(), beneath()]);
}

async function show() {
  render(
    <>
      <button type="button">Delete</button>
      <p>Words</p>
      <Toaster theme="light" />
    </>,
  );
  act(() => void toast.success('Image Deleted'));
  await screen.findByText('Image Deleted');
}

describe('notices', () => {
  afterEach(() => {
    act(() => void library.dismiss());
    vi.restoreAllMocks();
  });

  test('let clicks through from the start, and are announced politely', async () => {
    await show();
    expect(list()).toHaveClass(through);
    expect(list()).not.toHaveClass(aside);
    expect(screen.getByText('Image Deleted').closest('[aria-live]')).toHaveAttribute('aria-live', 'polite');
  });

  test('fade where the pointer comes for a control beneath, and are back when it leaves', async () => {
    await show();
    layOut(() => screen.getByRole('button', { name: 'Delete' }));
    fireEvent.pointerMove(document.body, outside);
    fireEvent.pointerMove(document.body, inside);
    expect(list()).toHaveClass(through, aside);
    fireEvent.pointerMove(document.body, outside);
    expect(list()).not.toHaveClass(aside);
  });

  test('are not faded by the pointer that they came up under', async () => {
    await show();
    layOut(() => screen.getByRole('button', { name: 'Delete' }));
    fireEvent.pointerMove(document.body, inside);
    expect(list()).toHaveClass(through);
    expect(list()).not.toHaveClass(aside);
  });

  test('leave their space in a dialog when they are gone, so that it does not move', async () => {
    render(
      <>
        <Dialog open>
          <DialogContent aria-describedby={undefined}>
            <DialogTitle>Rename</DialogTitle>
          </DialogContent>
        </Dialog>
        <Toaster theme="light" />
      </>,
    );
    const place = screen.getByRole('dialog').querySelector('[data-notice-place]')!;
    expect(place).toHaveClass('hidden');
    act(() => void toast.success('Renamed'));
    await waitFor(() => expect(place).not.toHaveClass('hidden'));
    act(() => void library.dismiss());
    await waitFor(() => expect(document.documentElement).not.toHaveAttribute('data-notices'));
    expect(place).not.toHaveClass('hidden');
  });

  test('hold the pointer where nothing beneath wants it, and on their own buttons', async () => {
    await show();
    layOut(() => screen.getByText('Words'));
    fireEvent.pointerMove(document.body, inside);
    expect(list()).not.toHaveClass(through);
    fireEvent.pointerMove(document.body, outside);
    expect(list()).toHaveClass(through);
    fireEvent.pointerMove(screen.getByRole('button', { name: 'Close toast' }), inside);
    expect(list()).not.toHaveClass(through);
  });

  test('stay out of the way of touches and drags', async () => {
    await show();
    layOut(() => screen.getByText('Words'));
    fireEvent.pointerMove(document.body, { ...inside, pointerType: 'touch' });
    fireEvent.pointerMove(document.body, { ...inside, buttons: 1 });
    expect(list()).toHaveClass(through);
  });

  test('leave by Escape, unless it closed something else', async () => {
    await show();
    const field = document.createElement('input');
    document.body.append(field);
    field.setAttribute('aria-expanded', 'true');
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(library.getToasts()).toHaveLength(1);
    field.remove();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByText('Image Deleted')).toBeNull());
  });

  test('are passed by Tab, forwards and back, and give the focus back when they are closed', async () => {
    const user = userEvent.setup();
    await show();
    const last = screen.getByRole('button', { name: 'Delete' });
    last.focus();
    await user.tab();
    await user.tab();
    expect(screen.getByRole('button', { name: 'Close toast' })).toHaveFocus();
    await user.tab();
    expect(document.body).toHaveFocus();
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    await user.tab({ shift: true });
    expect(last).toHaveFocus();
    await user.tab();
    await user.tab();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByText('Image Deleted')).toBeNull());
    await waitFor(() => expect(last).toHaveFocus());
  });

  test('that would leave by themselves are taken away, and warnings stay', async () => {
    await show();
    act(() => void toast.error('Error', { description: 'Failed to delete image.' }));
    act(() => toast.dismissPassing());
    await waitFor(() => expect(screen.queryByText('Image Deleted')).toBeNull());
    expect(screen.getByText('Failed to delete image.')).toBeVisible();
  });

  test('stand in the place that the header keeps for them, in sight where it is scrolled away, and in that of a dialog while one is open', async () => {
    vi.stubGlobal('scrollY', 400);
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
      const inDialog = this.closest('[data-dialog]') !== null;
      const rect = inDialog
        ? { top: 700, bottom: 746, right: 800, width: 460 }
        : { top: -397, bottom: -351, right: 900, width: 900 };
      if (this.matches('[data-dialog]')) return { bottom: 770 } as DOMRect;
      return this.matches('[data-notice-place]') ? (rect as DOMRect) : elsewhere;
    });
    const header = render(<NoticePlace />);
    await show();
    const styleOf = () => (list() as HTMLElement).style;
    await waitFor(() => expect(styleOf().getPropertyValue('--offset-top')).toBe('3px'));
    expect(styleOf().getPropertyValue('--width')).toBe('480px');
    expect(document.documentElement).toHaveAttribute('data-notices');
    const dialog = document.createElement('div');
    dialog.dataset['dialog'] = '';
    dialog.innerHTML = '<div data-notice-place></div>';
    document.body.append(dialog);
    await waitFor(() => expect(list()).toHaveAttribute('data-y-position', 'bottom'));
    expect(styleOf().getPropertyValue('--offset-bottom')).toBe(`${window.innerHeight - 746}px`);
    expect(styleOf().getPropertyValue('--width')).toBe('460px');
    dialog.remove();
    await waitFor(() => expect(list()).toHaveAttribute('data-y-position', 'top'));
    header.unmount();
    act(() => void library.dismiss());
    await waitFor(() => expect(document.documentElement).not.toHaveAttribute('data-notices'));
  });

  test('stay until they are closed where they warn, and say the same thing once', async () => {
    await show();
    act(() => void toast.warning('Warning', { description: 'Filter API call failed.' }));
    act(() => void toast.warning('Warning', { description: 'Filter API call failed.' }));
    act(() => void toast.error('Error', { description: 'Failed to delete image.' }));
    const shown = library
      .getToasts()
      .flatMap((each) => ('title' in each ? [[each.title, each.duration]] : []));
    expect(shown).toEqual([
      ['Image Deleted', undefined],
      ['Warning', Number.POSITIVE_INFINITY],
      ['Error', Number.POSITIVE_INFINITY],
    ]);
  });
});
