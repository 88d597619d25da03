/** Columns that do not fit together: `field` names the one at fault. */
export class FigureInputError extends Error {
  readonly tag = 'figure-input';
  readonly field: string;

  constructor(field: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'FigureInputError';
    this.field = field;
  }
}
