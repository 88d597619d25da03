/** Shares from 0 to 1, one per simulated set. */
interface Row {
  readonly label: string;
  readonly isWarm: boolean;
  readonly shares: readonly number[];
}

export interface Panel {
  readonly title: readonly string[];
  readonly end: number;
  readonly promised?: number;
  readonly rows: readonly Row[];
}

const left = 176;
const top = 78;
const rowHeight = 44;
const panelWidth = 226;
const gap = 48;
const colours = { warm: '#c2410c', cold: '#0f6cbd', ink: '#1f2937', quiet: '#6b7280', rule: '#e5e7eb' };

export function sharesFigure(panels: readonly Panel[]): string {
  const rows = panels[0]!.rows;
  const width = left + panels.length * (panelWidth + gap);
  const height = top + rows.length * rowHeight + 40;
  const labels = rows.map(({ label }, row) => text(left - 16, middleOf(row) + 4, label, { anchor: 'end' }));
  const parts = panels.map((panel, at) => panelOf(panel, left + at * (panelWidth + gap)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Inter, Helvetica, Arial, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...labels,
    ...parts.flat(),
    '</svg>\n',
  ].join('\n');
}

const middleOf = (row: number) => top + (row + 0.5) * rowHeight;

function panelOf({ title, end, promised, rows }: Panel, x: number): string[] {
  const at = (share: number) => round(x + (Math.min(share, end) / end) * panelWidth);
  const bottom = top + rows.length * rowHeight;
  const ticks = Array.from({ length: 5 }, (_, i) => (i * end) / 4);
  return [
    ...title.map((line, i) => text(x, 24 + i * 17, line, { weight: i === 0 ? 600 : 400 })),
    ...ticks.flatMap((tick) => [
      `<path d="M${at(tick)} ${top}V${bottom}" stroke="${colours.rule}"/>`,
      text(at(tick), bottom + 20, `${round(tick * 100)} %`, { anchor: 'middle', colour: colours.quiet }),
    ]),
    ...(promised === undefined
      ? []
      : [`<path d="M${at(promised)} ${top}V${bottom}" stroke="${colours.ink}" stroke-dasharray="4 3"/>`]),
    ...rows.flatMap((row, place) => marksOf(row, middleOf(place), at)),
  ];
}

function marksOf({ shares, isWarm }: Row, y: number, at: (share: number) => number): string[] {
  const rising = [...shares].sort((a, b) => a - b);
  const colour = isWarm ? colours.warm : colours.cold;
  // Spread by the golden section, so that neighbours in size lie apart.
  const dots = rising.map((share, i) => {
    const offset = (((i * 0.618_034) % 1) - 0.5) * 24;
    return `<circle cx="${at(share)}" cy="${round(y + offset)}" r="2.4"/>`;
  });
  const half = rising.length / 2;
  const median = (rising[Math.ceil(half) - 1]! + rising[Math.floor(half)]!) / 2;
  return [
    `<g fill="${colour}" fill-opacity="0.35">${dots.join('')}</g>`,
    `<path d="M${at(median)} ${y - 17}v34" stroke="${colour}" stroke-width="3"/>`,
  ];
}

function text(
  x: number,
  y: number,
  content: string,
  {
    anchor = 'start',
    weight = 400,
    colour = colours.ink,
  }: { anchor?: string; weight?: number; colour?: string } = {},
): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-weight="${weight}" fill="${colour}">${content}</text>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
