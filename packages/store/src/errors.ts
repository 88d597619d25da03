export class InvalidDatasetId extends Error {
  readonly tag = 'InvalidDatasetId';
  readonly id: string;
  constructor(id: string) {
    super(
      `${JSON.stringify(id)} cannot name a dataset: use 1 to 120 letters, digits, ".", "_" or "-" and no leading dot, or custom: and the id of a file`,
    );
    this.name = 'InvalidDatasetId';
    this.id = id;
  }
}

export class DatasetNotFound extends Error {
  readonly tag = 'DatasetNotFound';
  readonly id: string;
  constructor(id: string, options?: { cause?: unknown }) {
    super(`there is no dataset "${id}"`, options);
    this.name = 'DatasetNotFound';
    this.id = id;
  }
}

export class DatasetExists extends Error {
  readonly tag = 'DatasetExists';
  readonly id: string;
  constructor(id: string, options?: { cause?: unknown }) {
    super(`there is a dataset "${id}" already`, options);
    this.name = 'DatasetExists';
    this.id = id;
  }
}

/** The dataset was replaced or removed since it was opened: missing parts are not damage. */
export class DatasetReplaced extends Error {
  readonly tag = 'DatasetReplaced';
  readonly id: string;
  constructor(id: string, options?: { cause?: unknown }) {
    super(`The dataset "${id}" has been replaced or removed since it was opened. Open it again.`, options);
    this.name = 'DatasetReplaced';
    this.id = id;
  }
}

export class DatasetDamaged extends Error {
  readonly tag = 'DatasetDamaged';
  readonly id: string;
  readonly path: string;
  readonly reason: string;
  constructor(id: string, path: string, reason: string, options?: { cause?: unknown }) {
    super(`dataset "${id}" is damaged at ${path}: ${reason}`, options);
    this.name = 'DatasetDamaged';
    this.id = id;
    this.path = path;
    this.reason = reason;
  }
}

export class UnknownColumn extends Error {
  readonly tag = 'UnknownColumn';
  readonly id: string;
  readonly group: 'obs' | 'obsm' | 'assets';
  readonly column: string;
  constructor(id: string, group: 'obs' | 'obsm' | 'assets', column: string) {
    super(`dataset "${id}" has no "${column}" in ${group}`);
    this.name = 'UnknownColumn';
    this.id = id;
    this.group = group;
    this.column = column;
  }
}

/** A dataset read before its publication has other values than intended. Nothing is published. */
export class WrittenOtherwise extends Error {
  readonly tag = 'WrittenOtherwise';
  readonly path: string;
  constructor(path: string, what: string, options?: { cause?: unknown }) {
    super(
      `${path}: ${what} came back from the disk as other values than were read from the file. Nothing was added. Try again; if it happens again, check the disk and the memory of the machine, and report it with the file.`,
      options,
    );
    this.name = 'WrittenOtherwise';
    this.path = path;
  }
}

export class ShapeMismatch extends Error {
  readonly tag = 'ShapeMismatch';
  readonly path: string;
  readonly reason: string;
  constructor(path: string, reason: string) {
    super(`${path}: ${reason}`);
    this.name = 'ShapeMismatch';
    this.path = path;
    this.reason = reason;
  }
}
