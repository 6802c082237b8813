import { work } from '../../work.js';

export const runtime = 'edge';

export const GET = async () => Response.json(await work('on the edge'));
