/**
 * Options of routes whose bodies are files, for a server that compresses answers and unpacks requests: not these. A range
 * is one of the bytes as they were sent, and their length and tag are promised. Without a type, because the options are
 * those of a plugin that may not be there.
 */
export const untouchedBytes: object = { compress: false, decompress: false };
