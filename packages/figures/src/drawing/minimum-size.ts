import type { CommonSpec, Drawing } from './figure.ts';
import type { TextMark, VectorScene } from './scene/scene.ts';
import { smallSize, softInk } from './scene/style.ts';
import { wrappedWords } from './text/fit-text.ts';

interface LeastSize<Spec extends CommonSpec> {
  size: CommonSpec['size'];
  sentence(spec: Spec): string;
}

/** Below a minimum size, draws a sentence instead, since nothing else could be read. */
export function withMinimumSize<Spec extends CommonSpec>(
  drawing: Drawing<Spec>,
  minimum: LeastSize<Spec>,
): Drawing<Spec> {
  return {
    ...drawing,
    scene: (spec) => {
      const instead = spec.fitted?.instead;
      return instead === undefined ? drawing.scene(spec) : sentenceScene(spec, instead);
    },
    fit: (spec, size) => {
      if (size.width >= minimum.size.width && size.height >= minimum.size.height)
        return drawing.fit(spec, size);
      return {
        spec: { ...spec, size, fitted: { leftOut: '', instead: minimum.sentence(spec) } },
        isWhole: false,
      };
    },
  };
}

const lineHeight = 20;
const space = 8;

function sentenceScene({ size }: CommonSpec, sentence: string): VectorScene {
  const { width, height } = size;
  const lines = wrappedWords(sentence, width - 2 * space, smallSize);
  const first = height / 2 - ((lines.length - 1) * lineHeight) / 2 + smallSize * 0.36;
  return {
    width,
    height,
    panel: { x: 0, y: 0, width: 0, height: 0 },
    marks: lines.map((text, i): TextMark => ({
      kind: 'text',
      text,
      x: width / 2,
      y: first + i * lineHeight,
      size: smallSize,
      style: 'regular',
      colour: softInk,
      anchor: 'middle',
    })),
  };
}

export function fittedWith(
  leftOut: string,
  parts: Readonly<Record<string, boolean>>,
): NonNullable<CommonSpec['fitted']> {
  const without = Object.entries(parts).flatMap(([part, hasRoom]) => (hasRoom ? [] : [part]));
  return { leftOut, ...(without.length > 0 && { without }) };
}
