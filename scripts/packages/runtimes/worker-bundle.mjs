// What `wrangler deploy` would make of a worker, and what workerd needs to run it on this machine.
import { join } from 'node:path';
import { build } from 'vite';

/** Bundles a program of a folder into one module, with the export conditions of Cloudflare's own bundler. */
export async function bundleWorker(folder, program = 'worker.mjs') {
  const { output } = await build({
    root: folder,
    configFile: false,
    envFile: false,
    publicDir: false,
    logLevel: 'error',
    resolve: { conditions: ['workerd', 'worker', 'browser'] },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(folder, program),
        external: [/^cloudflare:/],
        preserveEntrySignatures: 'strict',
      },
    },
  });
  return output[0].code;
}

/** The configuration: one worker, one Durable Object on the disk, and the way to a server on loopback. */
export function workerConfig({ port }) {
  const variables = ['PARLEY_URL', 'PARLEY_AGENT_ID', 'PARLEY_AGENT_TOKEN', 'WEBHOOK_SECRET'];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "storage", disk = (path = "storage", writable = true)),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [(className = "ParleyAgent", uniqueKey = "parley-agent", enableSql = true)],
  durableObjectStorage = (localDisk = "storage"),
  bindings = [
    (name = "AGENT", durableObjectNamespace = "ParleyAgent"),
    ${variables.map((name) => `(name = "${name}", fromEnvironment = "${name}"),`).join('\n    ')}
  ],
);
`;
}
