// Clients of the SDK, of both generations, the newer one in both of its eras, over standard input and output or HTTP: one shape for all.

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

/** What each generation is called, and where it stands in its folder. */
export const GENERATIONS = {
  'SDK 1.32': {
    packages: ['@modelcontextprotocol/sdk@1.32.2', 'zod@4.6.7'],
    client: '@modelcontextprotocol/sdk/dist/esm/client/index.js',
    stdio: '@modelcontextprotocol/sdk/dist/esm/client/stdio.js',
    http: '@modelcontextprotocol/sdk/dist/esm/client/streamableHttp.js',
    schemas: '@modelcontextprotocol/sdk/dist/esm/types.js',
  },
  'SDK 2.4': {
    packages: ['@modelcontextprotocol/client@2.4.0'],
    client: '@modelcontextprotocol/client/dist/index.mjs',
    stdio: '@modelcontextprotocol/client/dist/stdio.mjs',
    http: '@modelcontextprotocol/client/dist/index.mjs',
  },
};
GENERATIONS['SDK 2.4 of 2026-07-28'] = { ...GENERATIONS['SDK 2.4'], era: { versionNegotiation: { mode: 'auto' } } };

/** A client of a generation: `connect()` starts a server and gives what a client does with it. */
export async function clientsOf(folder, { client, stdio, http, schemas, era }) {
  const load = (file) => import(pathToFileURL(`${folder}/node_modules/${file}`).href);
  const [{ Client }, { StdioClientTransport }, { StreamableHTTPClientTransport }] = await Promise.all([client, stdio, http].map(load));
  const v1 = schemas && (await load(schemas));
  const anything = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
  return async ({ command, args, env, cwd, url, token, name = 'test', elicit }) => {
    const transport = url
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${token}` } } })
      : new StdioClientTransport({ command, args, env, cwd, stderr: 'pipe' });
    let said = '';
    transport.stderr?.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    const one = new Client({ name, version: '1.0.0' }, { capabilities: elicit ? { elicitation: { form: {} } } : {}, ...era });
    if (elicit) one.setRequestHandler(v1 ? v1.ElicitRequestSchema : 'elicitation/create', ({ params }) => elicit(params));
    await one.connect(transport);
    if (era) assert.equal(one.getNegotiatedProtocolVersion(), '2026-07-28');
    return {
      pid: transport.pid,
      /** What a task has come to. */
      resultOf: (taskId) =>
        one.request({ method: era ? 'tasks/get' : 'tasks/result', params: { taskId } }, v1 ? v1.ResultSchema : anything),
      said: () => said,
      instructions: one.getInstructions(),
      list: async () => (await one.listTools()).tools,
      async call(tool, given = {}, options = {}) {
        const all = { timeout: 100_000, ...options };
        const { content, isError = false } = await (v1
          ? one.callTool({ name: tool, arguments: given }, undefined, all)
          : one.callTool({ name: tool, arguments: given }, all));
        return { text: content.map(({ text }) => text).join(''), isError };
      },
      request: (method, params) => one.request({ method, params }, v1 ? v1.ResultSchema : anything),
      close: () => one.close(),
    };
  };
}
