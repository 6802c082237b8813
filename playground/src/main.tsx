// The page of the playground. Owns where its parts stand: the panel, and the inspector beside it.

import '../../inspector/src/element.js';
import { render } from 'preact';
import { Panel } from './panel.js';
import { Playground } from './playground.js';

const inspector = document.querySelector('subagents-inspector');
const panel = document.querySelector('#panel');
if (inspector !== null && panel !== null) {
  const playground = new Playground(inspector);
  render(<Panel playground={playground} />, panel);
  // Documents may be dropped anywhere beside the inspector, which takes journals.
  panel.addEventListener('dragover', (event) => event.preventDefault());
  panel.addEventListener('drop', (event) => {
    event.preventDefault();
    void playground.take((event as DragEvent).dataTransfer?.files ?? []);
  });
}
