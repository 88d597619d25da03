/** Whether a process of that id is there; its id could only be used again after thousands of others. */
export function isProcessThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
