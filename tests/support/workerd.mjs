// workerd on loopback: its configuration for a worker of the tests, and a server of it that says where it listens.

import { spawn } from 'node:child_process';

/**
 * The text of `config.capnp`.
 *
 * @param {object} worker
 * @param {string} [worker.date] The compatibility date.
 * @param {string[]} worker.wasm Modules that lie beside `worker.js`.
 * @param {Record<string, string>} [worker.objects] Classes of Durable Objects with SQL on the disk of this folder, by the
 *   binding of each; none by default.
 * @param {Record<string, string>} [worker.texts] Texts that are bound.
 * @param {boolean} [worker.reaches] It may call addresses of this host.
 */
export function workerdConfig({ date = '2026-10-01', wasm, objects = {}, texts = {}, reaches = false }) {
  const classes = Object.entries(objects);
  const stores = classes.length > 0;
  const services = [
    '(name = "main", worker = .worker)',
    ...(stores ? ['(name = "disk", disk = (path = "disk", writable = true))'] : []),
    ...(reaches ? ['(name = "internet", network = (allow = ["private"]))'] : []),
  ];
  const modules = [
    '(name = "worker.js", esModule = embed "worker.js")',
    ...wasm.map((file) => `(name = "${file}", wasm = embed "${file}")`),
  ];
  const namespaces = classes.map(([, name]) => `(className = "${name}", uniqueKey = "${name.toLowerCase()}", enableSql = true)`);
  const bindings = [
    ...classes.map(([binding, name]) => `(name = "${binding}", durableObjectNamespace = "${name}")`),
    ...Object.entries(texts).map(([binding, text]) => `(name = "${binding}", text = "${text}")`),
  ];
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(', ')}],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${date}",
  modules = [${modules.join(', ')}],
  durableObjectNamespaces = [${namespaces.join(', ')}],
  ${stores ? 'durableObjectStorage = (localDisk = "disk"),' : ''}
  bindings = [${bindings.join(', ')}],
);
`;
}

/** workerd with a folder's `config.capnp`, once it says where it listens. It ends after 5 minutes at the latest. `said()` is what it wrote. */
export async function startWorkerd(workerd, folder) {
  // It takes a port that is free and says which: one that is looked for beforehand may be another's by then.
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const late = setTimeout(() => child.kill('SIGKILL'), 300_000);
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  ended.then(() => clearTimeout(late));
  const port = await new Promise((resolve, reject) => {
    let reported = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      reported += text;
      const found = /"event":\s*"listen",\s*"socket":\s*"http",\s*"port":\s*(\d+)/.exec(reported)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => reject(new Error(`workerd ended with ${code ?? signal}: ${said.slice(0, 4_000)}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    async stop(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
