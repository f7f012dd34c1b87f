import { type Check, compileCheck, type Manifest, readSchema, type Tool } from '@parley/documents';
import { type Api, ApiError } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';

/** The server does not announce a PATCH to the agent itself, so the manifest is read again after this time. */
const FRESH_MS = 60_000;
const DEFAULT_TIMEOUT_MS = 10_000;

export interface OwnTool {
  readonly tool: Tool;
  readonly timeoutMs: number;
  /** Undefined for a schema that cannot be compiled; the device reports that itself. */
  readonly check: Check | undefined;
}

interface Loaded {
  readonly manifest: Manifest;
  readonly tools: ReadonlyMap<string, OwnTool>;
  readonly at: number;
}

const NONE: Manifest = { schema_version: '1.0', agent_version: '0.0.0', tools: [], permission_scopes: [] };

/** The manifest as the server has it, from which calls are filled in (SK-2). */
export class OwnManifest {
  readonly #api: Api;
  readonly #agentId: string;
  readonly #now: () => Date;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;

  constructor({ api, agentId, now }: { api: Api; agentId: string; now: () => Date }) {
    this.#api = api;
    this.#agentId = agentId;
    this.#now = now;
  }

  async read(): Promise<Manifest> {
    return (await this.#current()).manifest;
  }

  /** A tool that is not in the copy is looked up once more, because the manifest may have grown. */
  async find(name: string): Promise<OwnTool | undefined> {
    const known = await this.#current();
    return known.tools.get(name) ?? (await this.#newerThan(known)).tools.get(name);
  }

  forget(): void {
    this.#loaded = undefined;
  }

  async #current(): Promise<Loaded> {
    const loaded = this.#loaded;
    if (loaded === undefined) return this.#load();
    if (Math.abs(this.#now().getTime() - loaded.at) < FRESH_MS) return loaded;
    try {
      return await this.#load();
    } catch (error) {
      // While the server cannot be asked, the old copy is used.
      if (error instanceof ApiError && (error.code === 'UNREACHABLE' || error.status >= 500)) return loaded;
      throw error;
    }
  }

  #newerThan(known: Loaded): Promise<Loaded> | Loaded {
    const justLoaded = Math.abs(this.#now().getTime() - known.at) < 1_000;
    return justLoaded ? known : this.#load();
  }

  #load(): Promise<Loaded> {
    this.#loading ??= this.#fetch().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #fetch(): Promise<Loaded> {
    const at = this.#now().getTime();
    const agent = await this.#api.call(agentRoutes.readAgent, { params: { agent_id: this.#agentId } });
    const manifest = (agent.capability_manifest as Manifest | null) ?? NONE;
    const tools = new Map(manifest.tools.map((tool) => [tool.name, toOwnTool(tool)]));
    this.#loaded = { manifest, tools, at };
    return this.#loaded;
  }
}

function toOwnTool(tool: Tool): OwnTool {
  const { root } = readSchema(tool.input_schema);
  return {
    tool,
    timeoutMs: tool.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    check: root === undefined ? undefined : compileCheck(root),
  };
}
