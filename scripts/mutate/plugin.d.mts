export function mutantPlugin(id?: string): {
  name: string;
  enforce: 'pre';
  transform(source: string, path: string): string | undefined;
};
