/** A backup that cannot be written now; the message says why and what to do. */
export class BackupFailed extends Error {
  override readonly name = 'BackupFailed';
}

/** What lies there is no backup, or not whole, or not as it was written. Nothing of it is used. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
  readonly folder: string;
  /** The file inside at fault; absent where it is about the whole. */
  readonly part?: string;

  constructor(folder: string, problem: string, options: { part?: string; cause?: unknown } = {}) {
    super(`The backup in ${folder} cannot be used: ${problem}`, { cause: options.cause });
    this.folder = folder;
    if (options.part !== undefined) this.part = options.part;
  }
}

/** A place that holds something already: a backup is restored into an empty one only, so that nothing is mixed. */
export class PlaceNotEmpty extends Error {
  override readonly name = 'PlaceNotEmpty';
}
