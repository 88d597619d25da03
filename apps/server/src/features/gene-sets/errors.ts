export class UnknownLibrary extends Error {
  override readonly name = 'UnknownLibrary';
  readonly library: string;
  readonly available: readonly string[];

  constructor(library: string, available: readonly string[]) {
    super(`There is no gene-set library ${JSON.stringify(library)}. Choose one of: ${available.join(', ')}.`);
    this.library = library;
    this.available = available;
  }
}

export class InvalidLibraryName extends Error {
  override readonly name = 'InvalidLibraryName';
  readonly library: string;

  constructor(library: string) {
    super(
      `${JSON.stringify(library)} is not a valid name for a gene-set library: use 1 to 80 letters, digits, ".", "_" or "-", and no leading dot.`,
    );
    this.library = library;
  }
}

/** A library of this name is stored already, or one whose name differs only in case. */
export class LibraryExists extends Error {
  override readonly name = 'LibraryExists';
  readonly library: string;
  readonly taken: string;

  constructor(library: string, existing: string) {
    super(
      library === existing
        ? `A gene-set library ${library} already exists. Replace it with --replace, or choose another name.`
        : `The name ${library} differs from that of the gene-set library ${existing} only in case. Use ${existing}, or choose another name.`,
    );
    this.library = library;
    this.taken = existing;
  }
}

/** A stored library contradicts its own record. */
export class LibraryDamaged extends Error {
  override readonly name = 'LibraryDamaged';
  readonly library: string;
  readonly reason: string;

  constructor(library: string, reason: string, options?: { cause?: unknown }) {
    super(
      `The stored gene-set library ${library} is damaged: ${reason}. Fetch or add it again, or remove it.`,
      options,
    );
    this.library = library;
    this.reason = reason;
  }
}

export class LibraryNotFetched extends Error {
  override readonly name = 'LibraryNotFetched';
  readonly library: string;
  readonly address: string;
  readonly attempts: number;

  constructor(
    library: string,
    { address, attempts, cause }: { address: string; attempts: number; cause: Error },
  ) {
    const tries = attempts > 1 ? ` (${attempts} attempts)` : '';
    super(`${library} could not be fetched from ${address}: ${cause.message}${tries}.`, { cause });
    this.library = library;
    this.address = address;
    this.attempts = attempts;
  }
}
