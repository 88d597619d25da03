declare global {
  interface Window {
    graphicsBytes(): number;
  }
}

/** Runs in a page, before any WebGL context is created. */
export function countGraphicsMemory(): void {
  const bufferSizes = new Map<object, number>();
  const bound = new WeakMap<object, Map<number, object | null>>();
  const sizeOf = (data: unknown): number =>
    typeof data === 'number' ? data : ((data as ArrayBufferView | null)?.byteLength ?? 0);
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
    const before = (name: string, note: (gl: object, given: never[]) => void) => {
      const methods = prototype as unknown as Record<string, (...given: unknown[]) => unknown>;
      const original = methods[name]!;
      methods[name] = function (this: object, ...args: unknown[]) {
        note(this, args as never[]);
        return Reflect.apply(original, this, args);
      };
    };
    const bind = (gl: object, [target, object]: [number, object | null]) => {
      if (!bound.has(gl)) bound.set(gl, new Map());
      bound.get(gl)!.set(target, object);
    };
    const hold = (gl: object, target: number, bytes: number) => {
      const object = bound.get(gl)?.get(target);
      if (object) bufferSizes.set(object, bytes);
    };
    before('bindBuffer', bind as never);
    before('bindTexture', bind as never);
    before('bufferData', (gl, [target, data]) => hold(gl, target!, sizeOf(data)));
    before('texImage2D', (gl, args: unknown[]) => {
      if (args.length < 9) return;
      const [width, height, data] = [args[3] as number, args[4] as number, args[8]];
      hold(gl, args[0] as number, sizeOf(data) || 4 * width * height);
    });
    before('deleteBuffer', (_gl, [object]) => bufferSizes.delete(object!));
    before('deleteTexture', (_gl, [object]) => bufferSizes.delete(object!));
  }
  window.graphicsBytes = () => [...bufferSizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
