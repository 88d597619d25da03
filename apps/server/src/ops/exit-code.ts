/** Exit codes of the command line, stable for scripts. */
export const exitCode = {
  ok: 0,
  /** Something unforeseen. */
  failure: 1,
  /** Wrong options or settings. */
  usage: 2,
  /** The input file cannot be imported as it is. */
  badInput: 3,
  /** No such dataset or user. */
  notFound: 4,
  /** A dataset of this name is there already. */
  exists: 5,
  /** A dataset in the store is damaged. */
  damaged: 6,
  /** The disk is full or the store cannot be written. */
  notWritable: 7,
  /** Ended by Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;
