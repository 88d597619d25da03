/** The file could not be written, or its content contradicts itself. Nothing is left at the path. */
export class H5adWriteFailed extends Error {
  readonly tag = 'H5adWriteFailed';
  readonly path: string;
  /** The part of the file at fault, such as `X/indices`. */
  readonly part: string;

  constructor(path: string, part: string, reason: string, options?: { cause?: unknown }) {
    super(`${path} could not be written: ${part}: ${reason}`, options);
    this.name = 'H5adWriteFailed';
    this.path = path;
    this.part = part;
  }
}
