import type { MapFigure } from '@cellfolio/contract';
import {
  App,
  applyDocumentTheme,
  applyHostStyleVariables,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps';
import { showLegend, valueText } from './legend.ts';
import { LiveMap } from './live-map.ts';
import { type LoadedPoints, loadPoints, type MapArguments } from './load-points.ts';
import { layerOf, legendOf, slotsOf } from './map-colors.ts';
import './map.css';
import { byId, countText } from './page.ts';
import { countBits, fencedNote, noteOf } from './selection.ts';

const app = new App({ name: 'cellfolio-map', version: '1' }, {}, { autoResize: true });
let theme: 'light' | 'dark' = 'light';
let onTheme = (): void => undefined;

function applyContext({ theme: next, styles }: McpUiHostContext): void {
  if (styles?.variables) applyHostStyleVariables(styles.variables);
  if (next) {
    theme = next;
    applyDocumentTheme(next);
  }
  onTheme();
}

const say = (text: string): void => {
  byId('status').textContent = text;
};

let args: MapArguments | undefined;
app.ontoolinput = ({ arguments: input }) => {
  args = input as unknown as MapArguments;
};
app.ontoolcancelled = () => say('The map was canceled.');
app.ontoolresult = ({ isError, structuredContent }) => {
  if (isError || structuredContent === undefined) return say('The map could not be drawn: see the answer.');
  if (args === undefined) return say('This client does not say which map it shows.');
  const { title, reading, dataset } = structuredContent as {
    title: string;
    reading: string;
    dataset: MapArguments['dataset'];
  };
  byId('title').textContent = title;
  byId('summary').textContent = reading;
  // The version that the words are about.
  void show({ ...args, dataset });
};
app.onhostcontextchanged = applyContext;

async function show(shown: MapArguments): Promise<void> {
  if (!app.getHostCapabilities()?.serverTools)
    return say('This client lets apps call no tools, so that the map has no data.');
  say('Loading the cells…');
  try {
    const points = await loadPoints(app, shown, (loaded, all) =>
      say(`Loading ${countText(loaded)} of ${countText(all)} points…`),
    );
    say(points.places.length === 0 ? 'No cell has a position.' : '');
    draw(points, shown);
  } catch (error) {
    say((error as Error).message);
  }
}

function draw(points: LoadedPoints, shown: MapArguments): void {
  const slots = slotsOf(points);
  const hidden = new Set<number>();
  const figure = () => points.figures[theme];
  const layer = () => layerOf(slots, figure(), points, hidden);
  const map = new LiveMap(points.positions, layer(), {
    onHover: (point, at) => showHover(point < 0 ? undefined : nameOf(point, slots, figure(), points), at),
    onSelect: (bits) => void tellSelection(bits),
  });
  const tellSelection = async (bits: Uint8Array | undefined) => {
    const count = bits === undefined ? 0 : countBits(bits);
    const status = byId('selection');
    if (bits === undefined || count === 0) {
      status.textContent = '';
      await tellModel(undefined);
      return;
    }
    const note = noteOf({ bits, count, slots, legend: legendOf(figure()) }, points, shown);
    const what = points.every === 1 ? 'cells' : 'points';
    const heard = await tellModel(note);
    status.textContent = `${countText(count)} ${what} encircled. ${heard ? 'The assistant learns of them with your next message.' : 'This client passes nothing on to the assistant.'}`;
  };
  onTheme = () => {
    map.setLayer(layer());
    showLegend(figure(), legendOf(figure()), {
      hidden,
      onToggle: (slot) => {
        if (!hidden.delete(slot)) hidden.add(slot);
        onTheme();
      },
    });
  };
  onTheme();
  if (points.every > 1)
    byId('sample').textContent =
      `One in ${countText(points.every)} cells is drawn, ${countText(points.places.length)} in all; the counts are those of all cells.`;
  listenToTools(map);
}

/** Replaces what the model learns of the selection. Returns whether the host takes it. */
async function tellModel(note: ReturnType<typeof noteOf> | undefined): Promise<boolean> {
  const takes = app.getHostCapabilities()?.updateModelContext;
  if (!takes) return false;
  const content = note ? [{ type: 'text' as const, text: fencedNote(note) }] : [];
  const isTaken = await app.updateModelContext({ content }).then(
    () => true,
    () => false,
  );
  return isTaken;
}

function nameOf(point: number, slots: Uint8Array, figure: MapFigure, { values }: LoadedPoints): string {
  if (values?.levelValues) {
    const value = values.levelValues[slots[point]!]!;
    return Number.isNaN(value) ? 'No value' : valueText(value);
  }
  return legendOf(figure).find(({ slot }) => slot === slots[point])?.label ?? '';
}

function showHover(name: string | undefined, { x, y }: { x: number; y: number }): void {
  const hover = byId('hover');
  hover.hidden = !name;
  hover.textContent = name ?? '';
  const isRight = x > byId('frame').clientWidth / 2;
  hover.style.cssText = `${isRight ? `right: calc(100% - ${x - 12}px)` : `left: ${x + 12}px`}; top: ${Math.max(0, y - 12)}px`;
}

function listenToTools(map: LiveMap): void {
  const choose = (isLasso: boolean) => {
    map.setLasso(isLasso);
    byId('lasso').ariaPressed = String(isLasso);
    byId('move').ariaPressed = String(!isLasso);
  };
  byId('move').addEventListener('click', () => choose(false));
  byId('lasso').addEventListener('click', () => choose(true));
  byId('closer').addEventListener('click', () => map.zoom(1.5));
  byId('farther').addEventListener('click', () => map.zoom(1 / 1.5));
  byId('whole').addEventListener('click', () => map.showAll());
}

await app.connect();
applyContext(app.getHostContext() ?? {});
