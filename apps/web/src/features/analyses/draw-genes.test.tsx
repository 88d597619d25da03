import type { FigureSource } from '@cellfolio/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { createQueryClient } from '@/lib/query-client.ts';
import { ServicesContext } from '@/lib/services.ts';
import { fakeServices } from '@/testing/fakes.ts';
import { FigureGenes, GeneCell, GenesOnMapContext } from './draw-genes.tsx';

function withGenes(children: ReactNode) {
  const [show, draw] = [vi.fn<(gene: string | null) => void>(), vi.fn<(genes: readonly string[]) => void>()];
  const fake = fakeServices();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400"><title>Dots</title>
    <text x="10" y="20" font-size="12" font-weight="400" fill="#000">T cell</text>
    <text x="90" y="40" text-anchor="end" font-size="12" font-weight="400" font-style="italic" fill="#000"><title>CXCL12 – ITGA4+ITGB1</title>CXCL12…GB1</text>
    <text x="120" y="390" transform="rotate(-90 120 390)" font-size="12" font-style="italic">HLA-A&lt;b&gt;</text></svg>`;
  fake.answer(
    '/api/render-figure',
    () => new Response(svg, { headers: { 'content-type': 'image/svg+xml' } }),
  );
  const page = (
    <ServicesContext value={fake.services}>
      <QueryClientProvider client={createQueryClient()}>
        <GenesOnMapContext value={{ gene: null, show, draw }}>{children}</GenesOnMapContext>
      </QueryClientProvider>
    </ServicesContext>
  );
  render(page);
  return { show, draw };
}

const source = {
  dataset_filename: 'd',
  content: { kind: 'ligand-receptor-dots' },
} as unknown as FigureSource;

test('names in a figure show one gene on the map and draw several, by mouse and keyboard; other texts are no buttons', async () => {
  const { show, draw } = withGenes(<FigureGenes source={source} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Show CXCL12, ITGA4, ITGB1 on the map' }));
  expect(draw).toHaveBeenLastCalledWith(['CXCL12', 'ITGA4', 'ITGB1']);
  const turned = screen.getByRole('button', { name: 'Show HLA-A<b> on the map' });
  expect(turned).toHaveAttribute('transform', 'rotate(-90 120 390)');
  turned.focus();
  await user.keyboard('{Enter}');
  expect(show).toHaveBeenLastCalledWith('HLA-A<b>');
  expect(screen.getAllByRole('button')).toHaveLength(2);
});

test('each gene of a cell shows itself on the map, unless the cell has many', async () => {
  const { show } = withGenes(
    <>
      <GeneCell column={{ name: 'names', kind: 'text' }} text="CD3D" />
      <GeneCell column={{ name: 'receptor', kind: 'genes' }} text="ITGA4+ITGB1" />
      <GeneCell column={{ name: 'lead_genes', kind: 'genes' }} text="A;B;C;D;E" />
      <GeneCell column={{ name: 'group', kind: 'text' }} text="T cell" />
    </>,
  );
  const user = userEvent.setup();
  for (const gene of ['CD3D', 'ITGB1']) {
    await user.click(screen.getByRole('button', { name: gene }));
    expect(show).toHaveBeenLastCalledWith(gene);
  }
  expect(screen.getAllByRole('button')).toHaveLength(3);
});
