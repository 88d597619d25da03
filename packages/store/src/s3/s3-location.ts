/** Where a bucket is and who asks for it; plain data, so that threads can be told. */
export interface S3Location {
  readonly bucket: string;
  /** Before every key; empty, or ending in a slash. */
  readonly prefix: string;
  /** `https://host` of the server; undefined for AWS by region alone. */
  readonly endpoint: string | undefined;
  readonly region: string;
  /** Undefined: the environment, a profile or the machine's role, as the AWS SDK finds them. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** The bucket in the path rather than in the host name. */
  readonly forcePathStyle: boolean;
}
