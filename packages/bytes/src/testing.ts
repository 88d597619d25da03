export { defaultPatience } from './s3/attempts.ts';
export { type S3Server, startS3Server } from './testing/s3-server.ts';
export { type S3Call, type S3StandIn, startS3StandIn } from './testing/s3-stand-in.ts';
export { temporaryRoot } from './testing/temporary-root.ts';
