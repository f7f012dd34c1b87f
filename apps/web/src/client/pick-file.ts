/** Asks for a file with the browser's own dialog; undefined if none was chosen. */
export async function pickFile(): Promise<File | undefined> {
  const [file] = await pick({});
  return file;
}

/** Asks for several files; an empty list if none were chosen. */
export function pickFiles(): Promise<readonly File[]> {
  return pick({ multiple: true });
}

/** Asks for a folder and returns its files; `webkitRelativePath` begins with the folder's own name. */
export function pickFolder(): Promise<readonly File[]> {
  return pick({ multiple: true, webkitdirectory: true });
}

function pick(options: Partial<Pick<HTMLInputElement, 'multiple' | 'webkitdirectory'>>): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const input = Object.assign(document.createElement('input'), { type: 'file', ...options });
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
