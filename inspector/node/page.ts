// The page that the inspector's server serves: the element, bound to the server that it came from. The token comes behind
// `#`, which no server and no other page is told, and leaves the address at once.

import type { SubagentsInspector } from '../src/element.js';

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get('token');
const inspector = document.querySelector('subagents-inspector') as SubagentsInspector;
if (token !== null) {
  given.delete('token');
  const moment = given.toString();
  history.replaceState(history.state, '', `${location.pathname}${moment === '' ? '' : `#${moment}`}`);
  inspector.token = token;
}
inspector.src = new URL('./', location.href).href;
