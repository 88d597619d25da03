import { SingleBar } from 'cli-progress';

/** Output of a command: results go to standard output, all else to standard error. */
export interface Terminal {
  json: boolean;
  /** Prints the result of the command as JSON or as `text`; call it once. */
  result(value: unknown, text: () => string): void;
  progress(title: string): Progress;
}

export interface Progress {
  update(stage: string, done: number, total: number): void;
  stop(): void;
}

export interface Output {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
}

interface TerminalOptions {
  json: boolean;
  output: Output;
}

export function createTerminal({ json, output: { stdout, stderr } }: TerminalOptions): Terminal {
  return {
    json,
    result: (value, text) => void stdout.write(`${json ? JSON.stringify(value, null, 2) : text()}\n`),
    progress: (title) => (stderr.isTTY ? barProgress(title, stderr) : lineProgress(title, stderr)),
  };
}

function barProgress(title: string, stream: NodeJS.WritableStream): Progress {
  const bar = new SingleBar({
    stream,
    format: `${title} {bar} {percentage} %  {stage}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
    stopOnComplete: false,
  });
  bar.start(100, 0, { stage: '' });
  return {
    update: (stage, done, total) => bar.update(percentOf(done, total), { stage }),
    stop: () => bar.stop(),
  };
}

/** One line per stage, for output that is not a terminal. */
function lineProgress(title: string, stream: NodeJS.WritableStream): Progress {
  let last = '';
  return {
    update(stage) {
      if (stage === last) return;
      last = stage;
      stream.write(`${title}: ${stage}\n`);
    },
    stop() {},
  };
}

function percentOf(done: number, total: number): number {
  return total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0;
}

/** Pads all columns but the last to equal width. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  return alignedRows(rows).join('\n');
}

export function alignedRows(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Untrusted text without control characters, which terminals would interpret. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '�');
}

function widthOf(text: string): number {
  return [...text].length;
}
