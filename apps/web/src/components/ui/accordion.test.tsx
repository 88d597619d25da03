import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Accordion, AccordionItem } from './accordion.tsx';

function Tissues() {
  const [open, setOpen] = useState('Lung');
  return (
    <Accordion>
      {['Blood', 'Breast', 'Lung'].map((name) => (
        <AccordionItem
          key={name}
          title={name}
          open={open === name}
          onToggle={() => setOpen(open === name ? '' : name)}
        >
          <button type="button">Cells of {name}</button>
        </AccordionItem>
      ))}
    </Accordion>
  );
}

const title = (name: string) => screen.getByRole('button', { name });
const cells = (name: string) => screen.queryByRole('button', { name: `Cells of ${name}` });

afterEach(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations');
});

describe('an accordion', () => {
  test('draws the content of what is open, under its title, and never measures its size', async () => {
    const sizes = vi.spyOn(Element.prototype, 'getBoundingClientRect');
    const styles = vi.spyOn(globalThis, 'getComputedStyle');
    const { container } = render(<Tissues />);
    expect(container.querySelector('h3 + [role=region]')).not.toBeNull();
    expect([sizes.mock.calls, styles.mock.calls]).toEqual([[], []]);
    vi.restoreAllMocks();
    expect(screen.getByRole('region', { name: 'Lung' })).toContainElement(cells('Lung'));
    expect(title('Lung')).toHaveAttribute('aria-expanded', 'true');
    expect(title('Lung')).toHaveAttribute('aria-controls', screen.getByRole('region', { name: 'Lung' }).id);
    expect(cells('Blood')).toBeNull();
    await userEvent.click(title('Blood'));
    expect(cells('Blood')).toBeVisible();
    await waitFor(() => expect(cells('Lung')).toBeNull());
  });

  test('the arrow keys, Home and End move between the titles, and leave the content alone', async () => {
    const user = userEvent.setup();
    render(<Tissues />);
    title('Blood').focus();
    for (const [key, name] of [
      ['ArrowDown', 'Breast'],
      ['ArrowUp', 'Blood'],
      ['ArrowUp', 'Lung'],
      ['ArrowDown', 'Blood'],
      ['End', 'Lung'],
      ['Home', 'Blood'],
    ] as const) {
      await user.keyboard(`{${key}}`);
      expect(title(name)).toHaveFocus();
    }
    cells('Lung')?.focus();
    await user.keyboard('{ArrowDown}');
    expect(cells('Lung')).toHaveFocus();
  });

  test('what closes stays out of reach until it is closed, and stays when it is opened again before', async () => {
    const closing: { finish: () => void; cancel: (reason: Error) => void }[] = [];
    HTMLElement.prototype.getAnimations = () => {
      const finished = new Promise<void>((finish, cancel) => closing.push({ finish, cancel }));
      return [{ finished } as unknown as Animation];
    };
    render(<Tissues />);
    const content = cells('Lung');
    await userEvent.click(title('Lung'));
    expect(content).toBeInTheDocument();
    expect(content?.closest('[role=region]')).toHaveAttribute('inert');
    await userEvent.click(title('Lung'));
    closing[0]?.cancel(new Error('reversed'));
    expect(cells('Lung')).toBe(content);
    expect(content?.closest('[role=region]')).not.toHaveAttribute('inert');
    await userEvent.click(title('Lung'));
    closing.at(-1)?.finish();
    await waitFor(() => expect(content).not.toBeInTheDocument());
  });
});
