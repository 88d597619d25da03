import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { AnnotationGroups } from './annotation-groups.tsx';

const group = (name: string) => ({ name, colour: '#336699', cells: 12 });
const annotation = { groups: [group('B cells'), group('T cells')] } as Parameters<
  typeof AnnotationGroups
>[0]['annotation'];

test('a name that was refused does not stay in its field, as if the group had it', async () => {
  const onChange = vi.fn();
  const show = (busy: boolean) => (
    <AnnotationGroups annotation={annotation} busy={busy} onChange={onChange} />
  );
  const { rerender } = render(show(false));
  const field = screen.getByRole('textbox', { name: 'Name of T cells' });
  await userEvent.clear(field);
  await userEvent.type(field, 'B cells{Enter}');
  expect(onChange).toHaveBeenCalledWith({ change: 'rename', group: 'T cells', name: 'B cells' });
  rerender(show(true));
  expect(field).toHaveValue('B cells');
  rerender(show(false));
  expect(field).toHaveValue('T cells');
});
