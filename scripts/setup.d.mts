interface SetupOptions {
  readonly install?: boolean;
  readonly build?: boolean;
  readonly quiet?: boolean;
}

export function ensureReady(options?: SetupOptions): Promise<void>;
export function prepare(root: string, options?: SetupOptions): Promise<void>;
export function checkNode(version: string): void;
