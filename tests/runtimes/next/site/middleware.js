import { work } from './work.js';

// `proxy.js`, which Next has in its place, runs on Node; this is what runs on the edge.
export const config = { matcher: '/middleware' };

export const middleware = async () => Response.json(await work('in the middleware'));
