declare global {
  interface Window {
    graphicsBytes(): number;
  }
}

/** Runs in a page, before any WebGL context is created. */
export function countGraphicsMemory(): void {
  const held = new Map<object, number>();
  const bound = new WeakMap<object, Map<number, object | null>>();
  const sizeOf = (data: unknown): number =>
    typeof data === 'number' ? data : ((data as ArrayBufferView | null)?.byteLength ?? 0);
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const before = (name: string, note: (gl: object, given: never[]) => void) => {
      const methods = prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
      const original = methods[name]!;
      methods[name] = function (this: object, ...given: unknown[]) {
        note(this, given as never[]);
        return Reflect.apply(original, this, given);
      };
    };
    const bind = (gl: object, [target, object]: [number, object | null]) => {
      if (!bound.has(gl)) bound.set(gl, new Map());
      bound.get(gl)!.set(target, object);
    };
    const hold = (gl: object, target: number, bytes: number) => {
      const object = bound.get(gl)?.get(target);
      if (object) held.set(object, bytes);
    };
    before('bindBuffer', bind as never);
    before('bindTexture', bind as never);
    before('bufferData', (gl, [target, data]) => hold(gl, target!, sizeOf(data)));
    before('texImage2D', (gl, given: unknown[]) => {
      if (given.length < 9) return;
      const [width, height, data] = [given[3] as number, given[4] as number, given[8]];
      hold(gl, given[0] as number, sizeOf(data) || 4 * width * height);
    });
    before('deleteBuffer', (_gl, [object]) => held.delete(object!));
    before('deleteTexture', (_gl, [object]) => held.delete(object!));
  }
  window.graphicsBytes = () => [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
}
