// The page of the inspector's server: the element, bound to that server. The token is after `#`, which is sent to no
// server and no other page, and is removed from the address at once.

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
