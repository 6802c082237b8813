// The icons of the page, as SVG: a state has its own shape, not only its colour.

import type { ComponentChildren, JSX } from 'preact';
import type { Look } from './agent.js';

const GLYPHS: Record<Look, ComponentChildren> = {
  queued: <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.4 2.2" />,
  running: (
    <>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" stroke-width="1.5" opacity=".4" />
      <circle cx="7" cy="7" r="3" fill="currentColor" />
    </>
  ),
  parked: (
    <>
      <rect x="3.5" y="3" width="2.4" height="8" rx="1" fill="currentColor" />
      <rect x="8.1" y="3" width="2.4" height="8" rx="1" fill="currentColor" />
    </>
  ),
  stopping: <rect x="3.5" y="3.5" width="7" height="7" rx="1.5" fill="currentColor" />,
  idle: <circle cx="7" cy="7" r="4.5" fill="none" stroke="currentColor" stroke-width="1.5" />,
  done: (
    <path d="M3 7.4 5.8 10 11 4.2" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" />
  ),
  stopped: <path d="M3.5 7h7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />,
  bad: <path d="m4 4 6 6m0-6-6 6" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />,
};

const COLOURS: Record<Look, string> = {
  queued: 'queued',
  running: 'running',
  parked: 'parked',
  stopping: 'bad',
  idle: 'queued',
  done: 'done',
  stopped: 'done',
  bad: 'bad',
};

export function Glyph({ look }: { readonly look: Look }): JSX.Element {
  return (
    <svg class={`glyph ${COLOURS[look]}`} viewBox="0 0 14 14" aria-hidden="true">
      {GLYPHS[look]}
    </svg>
  );
}

const PATHS = {
  mark: 'M8 1.5v4M8 5.5 3 9.5M8 5.5l5 4M3 9.5v1.2M13 9.5v1.2',
  twist: 'm5.5 3.5 4 4.5-4 4.5',
  first: 'M4 3.5v9M12.5 3.5 7 8l5.5 4.5z',
  back: 'M10.5 3.5 5 8l5.5 4.5',
  forth: 'm5.5 3.5 5.5 4.5-5.5 4.5',
  close: 'm4 4 8 8m0-8-8 8',
  save: 'M8 2.5v7m0 0 3-3m-3 3-3-3M3 12.5h10',
  load: 'M8 9.5v-7m0 0-3 3m3-3 3 3M3 12.5h10',
  add: 'M8 3v10M3 8h10',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1.2v1.4M8 13.4v1.4M1.2 8h1.4M13.4 8h1.4M3.2 3.2l1 1M11.8 11.8l1 1M12.8 3.2l-1 1M4.2 11.8l-1 1',
  link: 'M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 8.9 3.4l-.9.9M9.3 6.7a2.6 2.6 0 0 0-3.7 0L3.4 8.9a2.6 2.6 0 0 0 3.7 3.7l.9-.9',
  wider: 'M3 8h10M8 3v10',
  narrower: 'M3 8h10',
  fit: 'M2.5 5.5v-3h3M13.5 5.5v-3h-3M2.5 10.5v3h3M13.5 10.5v3h-3',
} as const;

export function Icon({ name, size = 16 }: { readonly name: keyof typeof PATHS; readonly size?: number }): JSX.Element {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
      {name === 'mark' && (
        <>
          <circle cx="8" cy="2.6" r="1.8" fill="currentColor" stroke="none" />
          <circle cx="3" cy="12" r="1.9" fill="currentColor" stroke="none" />
          <circle cx="13" cy="12" r="1.9" fill="currentColor" stroke="none" />
          <circle cx="8" cy="12" r="1.9" fill="currentColor" stroke="none" />
          <path d="M8 5.5V11" />
        </>
      )}
    </svg>
  );
}
