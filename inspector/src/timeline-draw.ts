// Draws the timeline: lanes of segments and marks on a canvas. Owns the place of each part, and which lane and moment
// are at a point. It knows no events, no element but the canvas, and stores nothing between drawings.

import type { LaneMark, LaneSegment } from 'subagents/view';
import { lookOf, type MarkLook, markLook } from './marks.js';

export interface Lane {
  readonly id: string;
  readonly label: string;
  readonly depth: number;
  readonly over: boolean;
  readonly segments: readonly LaneSegment[];
  readonly marks: readonly LaneMark[];
}

export interface Frame {
  /** The number of lanes. */
  readonly count: number;
  /** A lane by its place: called only for those in sight. */
  readonly lane: (at: number) => Lane | undefined;
  readonly width: number;
  readonly height: number;
  /** The scroll position of the lanes, in pixels. */
  readonly top: number;
  /** The stretch of time that the width shows, in epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  /** The moment that is shown: nothing is known after it. */
  readonly now: number;
  /** The time of the axis's 0. */
  readonly origin: number;
  readonly selected: string | null;
  readonly hovered: string | null;
}

export interface Palette {
  readonly panel: string;
  readonly ground: string;
  readonly line: string;
  readonly text: string;
  readonly muted: string;
  readonly accent: string;
  readonly soft: string;
  readonly run: string;
  readonly wait: string;
  readonly park: string;
  readonly parkSoft: string;
  readonly good: string;
  readonly bad: string;
  readonly font: string;
}

export const LANE = 22;
export const AXIS = 24;
const BAR = 10;
/** Below this many pixels between two marks, the second isn't drawn. */
const MARKS_APART = 3;

export const gutterOf = (width: number): number => (width < 420 ? 104 : width < 620 ? 140 : 168);

/** Colours are reused for this long: a page may change them at any time, and reading them is slow. */
const PALETTE_MS = 250;
const palettes = new WeakMap<Element, { readonly at: number; readonly dark: boolean; readonly palette: Palette }>();

export function paletteOf(element: Element, dark: boolean): Palette {
  const known = palettes.get(element);
  const at = performance.now();
  if (known !== undefined && known.dark === dark && at - known.at < PALETTE_MS) return known.palette;
  const palette = readPalette(element);
  palettes.set(element, { at, dark, palette });
  return palette;
}

function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: of('panel'),
    ground: of('ground'),
    line: of('line'),
    text: of('text'),
    muted: of('muted'),
    accent: of('accent'),
    soft: of('accent-soft'),
    run: of('run'),
    wait: of('wait'),
    park: of('park'),
    parkSoft: of('park-soft'),
    good: of('good'),
    bad: of('bad'),
    font: of('font'),
  };
}

export function draw(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette): void {
  const { width, height, top } = frame;
  const gutter = gutterOf(width);
  canvas.fillStyle = palette.panel;
  canvas.fillRect(0, 0, width, height);
  const first = Math.max(0, Math.floor(top / LANE));
  const last = Math.min(frame.count, Math.ceil((top + height - AXIS) / LANE));

  for (let at = first; at < last; at += 1) {
    const lane = frame.lane(at);
    if (lane === undefined) continue;
    if (lane.id !== frame.selected && lane.id !== frame.hovered) continue;
    canvas.fillStyle = lane.id === frame.selected ? palette.soft : palette.ground;
    canvas.fillRect(0, AXIS + at * LANE - top, width, LANE);
  }
  canvas.save();
  canvas.beginPath();
  canvas.rect(gutter, 0, width - gutter, height);
  canvas.clip();
  grid(canvas, frame, palette, gutter);
  for (let at = first; at < last; at += 1) {
    const lane = frame.lane(at);
    if (lane !== undefined) stretch(canvas, frame, palette, gutter, lane, AXIS + at * LANE - top);
  }
  nowLine(canvas, frame, palette, gutter);
  canvas.restore();
  names(canvas, frame, palette, gutter, first, last);
  axis(canvas, frame, palette, gutter);
}

/** The lane under a point, and the moment. */
export function under(frame: Frame, x: number, y: number): { readonly lane: Lane | undefined; readonly at: number } {
  const gutter = gutterOf(frame.width);
  const lane = y < AXIS ? undefined : frame.lane(Math.floor((y - AXIS + frame.top) / LANE));
  return { lane, at: frame.from + ((x - gutter) / (frame.width - gutter)) * (frame.to - frame.from) };
}

function scaleOf(frame: Frame, gutter: number): (at: number) => number {
  const span = Math.max(1, frame.to - frame.from);
  return (at) => gutter + ((at - frame.from) / span) * (frame.width - gutter);
}

function stretch(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette, gutter: number, lane: Lane, y: number): void {
  const x = scaleOf(frame, gutter);
  const middle = y + LANE / 2;
  const barTop = y + (LANE - BAR) / 2;
  for (const segment of lane.segments) {
    const { from, to } = segment;
    const look = lookOf(segment);
    const end = to ?? frame.now;
    if (end < frame.from || from > frame.to) continue;
    const left = Math.max(gutter - 4, x(from));
    const wide = Math.max(2, Math.min(frame.width + 4, x(end)) - left);
    if (look === 'queued') {
      canvas.strokeStyle = palette.wait;
      canvas.lineWidth = 1;
      canvas.strokeRect(left + 0.5, middle - 2.5, Math.max(1, wide - 1), 5);
    } else if (look === 'parked') {
      canvas.fillStyle = palette.parkSoft;
      rounded(canvas, left, barTop, wide, BAR);
      canvas.fill();
      canvas.strokeStyle = palette.park;
      canvas.lineWidth = 1;
      rounded(canvas, left + 0.5, barTop + 0.5, Math.max(1, wide - 1), BAR - 1);
      canvas.stroke();
    } else {
      canvas.fillStyle = look === 'stopping' ? palette.bad : palette.run;
      canvas.globalAlpha = look === 'stopping' ? 0.55 : lane.over ? 0.72 : 1;
      rounded(canvas, left, barTop, wide, BAR);
      canvas.fill();
      canvas.globalAlpha = 1;
    }
  }
  let before = Number.NEGATIVE_INFINITY;
  for (let index = firstFrom(lane.marks, frame.from); index < lane.marks.length; index += 1) {
    const mark = lane.marks[index] as LaneMark;
    if (mark.at > frame.to) break;
    const look = markLook(mark);
    if (look === undefined) continue;
    const at = x(mark.at);
    if (look !== 'good' && look !== 'bad' && at - before < MARKS_APART) continue;
    before = at;
    drawMark(canvas, palette, look, at, y, middle);
  }
}

/** The place of the first mark at an instant or after it. */
function firstFrom(marks: readonly LaneMark[], from: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((marks[middle] as LaneMark).at < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function drawMark(canvas: CanvasRenderingContext2D, palette: Palette, look: MarkLook, x: number, y: number, middle: number): void {
  const dot = (color: string, size: number): void => {
    canvas.fillStyle = color;
    canvas.strokeStyle = palette.panel;
    canvas.lineWidth = 1.5;
    canvas.beginPath();
    canvas.arc(x, middle, size, 0, Math.PI * 2);
    canvas.fill();
    canvas.stroke();
  };
  switch (look) {
    case 'turn':
      canvas.fillStyle = palette.panel;
      canvas.globalAlpha = 0.8;
      canvas.fillRect(x, middle - 5, 1, 10);
      canvas.globalAlpha = 1;
      return;
    case 'tool':
      canvas.fillStyle = palette.muted;
      canvas.fillRect(x - 0.5, middle + 6, 1.5, 3);
      return;
    case 'good':
      dot(palette.good, 4);
      return;
    case 'bad':
      dot(palette.bad, 4);
      return;
    case 'question':
      dot(palette.park, 4);
      return;
    case 'message':
    case 'notice': {
      // A triangle that points down to the lane, or one that points up from it.
      const tip = look === 'message' ? y + 7 : y + 1;
      const base = look === 'message' ? y + 1 : y + 7;
      canvas.fillStyle = palette.text;
      canvas.beginPath();
      canvas.moveTo(x, tip);
      canvas.lineTo(x - 3.5, base);
      canvas.lineTo(x + 3.5, base);
      canvas.fill();
      return;
    }
  }
}

function rounded(canvas: CanvasRenderingContext2D, left: number, top: number, width: number, height: number): void {
  canvas.beginPath();
  canvas.roundRect(left, top, width, height, Math.min(3, width / 2));
}

function names(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette, gutter: number, first: number, last: number): void {
  canvas.save();
  canvas.beginPath();
  canvas.rect(0, AXIS, gutter - 6, frame.height - AXIS);
  canvas.clip();
  canvas.font = `12px ${palette.font}`;
  canvas.textBaseline = 'middle';
  for (let at = first; at < last; at += 1) {
    const lane = frame.lane(at);
    if (lane === undefined) continue;
    canvas.fillStyle = lane.over ? palette.muted : palette.text;
    const left = 12 + Math.min(lane.depth - 1, 6) * 10;
    canvas.fillText(lane.label, left, AXIS + at * LANE - frame.top + LANE / 2 + 0.5);
  }
  canvas.restore();
  canvas.fillStyle = palette.line;
  canvas.fillRect(gutter - 1, 0, 1, frame.height);
}

const STEPS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000,
];

function stepOf(frame: Frame, gutter: number): number {
  const wanted = ((frame.to - frame.from) * 84) / Math.max(84, frame.width - gutter);
  return STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / 3_600_000) * 3_600_000;
}

function ticks(frame: Frame, gutter: number): number[] {
  const step = stepOf(frame, gutter);
  const first = Math.ceil((frame.from - frame.origin) / step) * step;
  const found: number[] = [];
  for (let at = first; at <= frame.to - frame.origin && found.length < 200; at += step) found.push(at);
  return found;
}

function grid(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette, gutter: number): void {
  const x = scaleOf(frame, gutter);
  canvas.fillStyle = palette.line;
  canvas.globalAlpha = 0.6;
  for (const at of ticks(frame, gutter)) canvas.fillRect(Math.round(x(frame.origin + at)), AXIS, 1, frame.height);
  canvas.globalAlpha = 1;
}

function axis(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette, gutter: number): void {
  canvas.fillStyle = palette.panel;
  canvas.fillRect(0, 0, frame.width, AXIS - 1);
  canvas.fillStyle = palette.line;
  canvas.fillRect(0, AXIS - 1, frame.width, 1);
  canvas.font = `11px ${palette.font}`;
  canvas.textBaseline = 'middle';
  canvas.fillStyle = palette.muted;
  const x = scaleOf(frame, gutter);
  const step = stepOf(frame, gutter);
  for (const at of ticks(frame, gutter)) {
    const left = x(frame.origin + at);
    if (left < gutter || left > frame.width - 34) continue;
    canvas.fillText(tickText(at, step), left + 3, AXIS / 2);
  }
}

function tickText(ms: number, step: number): string {
  if (step >= 60_000) return `${Math.round(ms / 60_000)} min`;
  if (step >= 1_000) return `${Math.round(ms / 1_000)} s`;
  return step >= 100 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`;
}

function nowLine(canvas: CanvasRenderingContext2D, frame: Frame, palette: Palette, gutter: number): void {
  const at = scaleOf(frame, gutter)(frame.now);
  if (at < gutter || at > frame.width) return;
  canvas.fillStyle = palette.accent;
  canvas.fillRect(Math.round(at) - 1, AXIS, 1.5, frame.height - AXIS);
}
