import type { ChosenCells, MapColor, MapFigure, MapPoints } from '@cellfolio/contract';
import type { App } from '@modelcontextprotocol/ext-apps';

/** Arguments of `show_map`, which `map_points` takes too. */
export interface MapArguments {
  readonly dataset: { readonly filename: string; readonly version?: string };
  readonly color?: MapColor;
  readonly cells?: ChosenCells;
}

type Figures = Readonly<Record<'light' | 'dark', MapFigure>>;

export interface LoadedPoints {
  readonly every: number;
  readonly version: string;
  readonly figures: Figures;
  readonly positions: Uint16Array;
  /** Place of each point in the map order of all cells. */
  readonly places: Uint32Array;
  readonly values: { readonly codes: Uint16Array; readonly levelValues?: Float64Array } | undefined;
}

/** All pieces of a map by the host, which asks the server. Throws Error with a sentence for the person. */
export async function loadPoints(
  app: App,
  args: MapArguments,
  onProgress: (points: number, all: number) => void,
): Promise<LoadedPoints> {
  const first = await pieceOf(app, args, 0);
  const { points, every, version, figures, values } = first;
  if (figures === undefined) throw new Error('The server sent no colors of the map.');
  const positions = new Uint16Array(2 * points);
  const places = new Uint32Array(points);
  const codes = new Uint16Array(points);
  // The version of the first piece: the others are of the same cells.
  const same = { ...args, dataset: { ...args.dataset, version } };
  for (let piece = first; ;) {
    const { from, next_from: next } = piece;
    positions.set(new Uint16Array(bytesOf(piece.positions).buffer), 2 * from);
    places.set(new Uint32Array(bytesOf(piece.places).buffer), from);
    if (piece.values) {
      const { bytes, width } = piece.values;
      codes.set(width === 1 ? bytesOf(bytes) : new Uint16Array(bytesOf(bytes).buffer), from);
    }
    if (next === null) break;
    onProgress(next, points);
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other: a host may hold a call in memory
    piece = await pieceOf(app, same, next);
  }
  const levels = values?.level_values?.map((value) => value ?? Number.NaN);
  return {
    every,
    version,
    figures,
    positions,
    places,
    values: values && { codes, ...(levels && { levelValues: Float64Array.from(levels) }) },
  };
}

async function pieceOf(
  app: App,
  { dataset, color, cells }: MapArguments,
  from: number,
): Promise<MapPoints & { figures?: Figures }> {
  const result = await app.callServerTool({
    name: 'map_points',
    arguments: { dataset, from, ...(color && { color }), ...(cells && { cells }) },
  });
  if (result.isError || result.structuredContent === undefined) throw new Error(refusalIn(result.content));
  return result.structuredContent as unknown as MapPoints & { figures?: Figures };
}

/** The sentence of the refusal of a tool, which stands between two marks. */
function refusalIn(content: readonly { type: string; text?: string }[]): string {
  const [, , json = ''] = content[0]?.text?.split('\n') ?? [];
  try {
    return String((JSON.parse(json) as { message: unknown }).message);
  } catch {
    return 'The server sent no points.';
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
