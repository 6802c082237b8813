import { work } from '../../work.js';

export const runtime = 'nodejs';
// Else it is asked once, while the app is built.
export const dynamic = 'force-dynamic';

export const GET = async () => Response.json(await work('on Node'));
