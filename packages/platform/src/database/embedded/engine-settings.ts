import { PGlite } from '@electric-sql/pglite';

/** How the engine is started: as the library does, but with commits that reach the disk. */
export const startParameters: readonly string[] = [
  // -F turns fsync off.
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...Object.entries({
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // The only method whose system call reaches our file system.
    wal_sync_method: 'fsync',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
    // One session over small tables; the operating system caches the files as well.
    shared_buffers: '16MB',
    // Compiling queries is not in the engine; asking for it costs planning time.
    jit: 'off',
    // The client is told of errors; the engine's own log goes nowhere.
    log_min_messages: 'panic',
    log_min_error_statement: 'panic',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];
