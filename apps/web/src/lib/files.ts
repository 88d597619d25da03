/** Hands a file to the browser's downloads under a name. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the file by then; holding it longer would only cost memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A part of a file's name in characters that every file system takes, short of the length that none does. */
export function fileNamePart(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}.-]+/gu, '_')
    .slice(0, 80)
    .replace(/^[_.]+|_+$/g, '');
}

/** A file as a data URL in base64. @throws where it cannot be read */
export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.readAsDataURL(file);
  });
}
