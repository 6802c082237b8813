// The Worker before the object: `/evict` has it thrown out of memory, as Cloudflare does.

import { Agents as Recipe } from './recipe.js';

export class Agents extends Recipe {
  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname === '/evict') this.ctx.abort('evicted');
    return super.fetch(request);
  }
}

export default {
  fetch: (
    request: Request,
    env: { AGENTS: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } } },
  ) => env.AGENTS.get(env.AGENTS.idFromName('one')).fetch(request),
};
