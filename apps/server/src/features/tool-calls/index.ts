export { type EndedCall, ToolCalls } from './tool-calls.ts';
