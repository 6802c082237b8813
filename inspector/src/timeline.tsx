// The timeline: the canvas, how it scrolls, zooms and drags, and the text for the place under the pointer.
// `timeline-draw.ts` draws it.

import { useSignal } from '@preact/signals';
import type { CanvasHTMLAttributes, JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { clock, counted, duration, line } from './format.js';
import { Icon } from './icons.js';
import { markLook, markSays, segmentSays } from './marks.js';
import type { InspectorState } from './state.js';
import { AXIS, draw, type Frame, gutterOf, LANE, type Lane, paletteOf, under } from './timeline-draw.js';

/** The stretch of time in sight; null follows everything. */
interface Window {
  readonly from: number;
  readonly to: number;
}

const LEAST_SPAN = 20;
const ZOOM = 1.25;

/** The stretch in sight, and its changes. */
interface TimeWindow {
  readonly shown: Window;
  /** Shows this stretch; null follows everything. */
  show(window: Window | null): void;
  /** Around this place of the canvas, or around the middle. */
  zoom(factor: number, x?: number): void;
  pan(share: number): void;
}

export function Timeline({ state }: { readonly state: InspectorState }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSize(scroller);
  const top = useSignal(0);
  const scene = state.scene.value;
  const order = scene?.outline.order ?? [];
  const laneAt = (at: number): Lane | undefined => {
    const index = order[at];
    return index === undefined ? undefined : scene?.lane(scene.node(index));
  };
  const origin = scene?.startedAt ?? 0;
  const now = scene?.now ?? 0;
  const time = useTimeWindow({ from: origin, to: Math.max(origin + 1_000, now + (now - origin) * 0.03) }, size.width);
  const frame: Frame = {
    count: order.length,
    lane: laneAt,
    ...size,
    top: top.value,
    ...time.shown,
    now,
    origin,
    selected: state.selected.value,
    hovered: null,
  };
  const select = (lane: Lane | undefined): void => {
    if (lane !== undefined) state.select(lane.id);
  };
  const pointer = usePointer(frame, time, select);
  const found = pointer.at === null ? undefined : under(frame, pointer.at.x, pointer.at.y);
  useDrawing(canvas, state, { ...frame, hovered: found?.lane?.id ?? null });
  useWheel(scroller, time);
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = state.selected.value === null ? undefined : scene?.byKey(state.selected.value);
    const at = chosen === undefined ? -1 : order.indexOf(chosen.index);
    const isDown = event.key === 'ArrowDown';
    if (isDown || event.key === 'ArrowUp') select(laneAt(isDown ? Math.min(order.length - 1, at + 1) : Math.max(0, at - 1)));
    else if (!moveByKey(event.key, time)) return;
    event.preventDefault();
  };

  return (
    <>
      <div class="time">
        <div
          class="scroll"
          ref={scroller}
          role="group"
          aria-label="Timeline: plus and minus zoom, left and right move in time, up and down choose a sub-agent, 0 shows all"
          tabIndex={0}
          onKeyDown={onKeyDown}
          onScroll={(event) => {
            top.value = event.currentTarget.scrollTop;
          }}
        >
          <div style={{ height: `${order.length * LANE + AXIS}px` }}>
            <canvas
              ref={canvas}
              role="img"
              aria-label={`A lane for each of ${counted(order.length, 'sub-agent')}, over ${duration(now - origin)}`}
              style={{ width: `${size.width}px`, height: `${size.height}px` }}
              {...pointer.handlers}
            />
          </div>
        </div>
        {order.length === 0 && (
          <div class="state">
            <strong>Nothing has run yet</strong>
            <p>Each sub-agent gets a lane: when it was queued, ran, was parked, and how it ended.</p>
          </div>
        )}
        {found?.lane !== undefined && pointer.at !== null && (
          <Hint lane={found.lane} at={found.at} x={pointer.at.x} y={pointer.at.y} frame={frame} />
        )}
      </div>
      <Legend time={time} />
    </>
  );
}

/** The size of the element, now and later. */
function useSize(scroller: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const size = useSignal({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);
  return size.value;
}

function useTimeWindow(whole: Window, width: number): TimeWindow {
  const window = useSignal<Window | null>(null);
  const shown = window.value ?? whole;
  return {
    shown,
    show: (next) => {
      window.value = next;
    },
    zoom: (factor, x) => {
      const gutter = gutterOf(width);
      const share = x === undefined ? 0.5 : Math.max(0, Math.min(1, (x - gutter) / (width - gutter)));
      const span = shown.to - shown.from;
      const wanted = Math.max(LEAST_SPAN, Math.min(span * factor, (whole.to - whole.from) * 4));
      const from = shown.from + (span - wanted) * share;
      window.value = { from, to: from + wanted };
    },
    pan: (share) => {
      const by = (shown.to - shown.from) * share;
      window.value = { from: shown.from + by, to: shown.to + by };
    },
  };
}

/** The place of the pointer, null while it drags, and its effect: a drag moves the time, a click selects a lane. */
function usePointer(frame: Frame, time: TimeWindow, select: (lane: Lane | undefined) => void) {
  const pointer = useSignal<{ x: number; y: number } | null>(null);
  const drag = useRef<{ x: number; moved: boolean; window: Window } | null>(null);
  const handlers: CanvasHTMLAttributes<HTMLCanvasElement> = {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      drag.current = { x: event.offsetX, moved: false, window: time.shown };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event) => {
      const held = drag.current;
      const { offsetX: x, offsetY: y } = event;
      if (held !== null && (held.moved || Math.abs(x - held.x) > 3)) {
        held.moved = true;
        const by = ((held.x - x) / (frame.width - gutterOf(frame.width))) * (held.window.to - held.window.from);
        time.show({ from: held.window.from + by, to: held.window.to + by });
      }
      pointer.value = { x, y };
    },
    onPointerUp: (event) => {
      if (drag.current?.moved === false) select(under(frame, event.offsetX, event.offsetY).lane);
      drag.current = null;
    },
    onPointerCancel: () => {
      drag.current = null;
    },
    onPointerLeave: () => {
      pointer.value = null;
    },
    onDblClick: () => time.show(null),
  };
  return { at: drag.current?.moved ? null : pointer.value, handlers };
}

/** Draws with the page's own frames, once for all changes since the last one. */
function useDrawing(canvas: RefObject<HTMLCanvasElement | null>, state: InspectorState, frame: Frame): void {
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    const { width, height } = frame;
    const scale = globalThis.devicePixelRatio || 1;
    if (element.width !== Math.round(width * scale) || element.height !== Math.round(height * scale)) {
      element.width = Math.round(width * scale);
      element.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    draw(context, frame, paletteOf(state.host, state.isDark.peek()));
  });
}

/** The wheel moves the timeline if it turns sideways, or with a modifier. */
function useWheel(scroller: RefObject<HTMLElement | null>, time: TimeWindow): void {
  const current = useRef(time);
  current.current = time;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) current.current.zoom(event.deltaY > 0 ? ZOOM : 1 / ZOOM, event.offsetX);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        current.current.pan((event.deltaX || event.deltaY) / Math.max(1, element.clientWidth));
      } else return;
      event.preventDefault();
    };
    // Not passive: it keeps the page from scrolling.
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
}

/** Moves in time by a key. Returns whether the key is one for that. */
function moveByKey(key: string, time: TimeWindow): boolean {
  switch (key) {
    case '+':
    case '=':
      time.zoom(1 / ZOOM);
      return true;
    case '-':
      time.zoom(ZOOM);
      return true;
    case '0':
      time.show(null);
      return true;
    case 'ArrowLeft':
      time.pan(-0.1);
      return true;
    case 'ArrowRight':
      time.pan(0.1);
      return true;
    default:
      return false;
  }
}

const LOOKS = [
  ['queued', 'queued'],
  ['running', 'running'],
  ['parked', 'parked'],
  ['done', 'ended'],
  ['bad', 'failed, stopping'],
] as const;

function Legend({ time }: { readonly time: TimeWindow }): JSX.Element {
  const button = 'button plain small';
  return (
    <div class="legend">
      {LOOKS.map(([look, title]) => (
        <span key={look}>
          <i class={look} /> {title}
        </span>
      ))}
      <span class="space" />
      <button type="button" class={button} aria-label="Zoom in" title="Zoom in (+)" onClick={() => time.zoom(1 / ZOOM)}>
        <Icon name="wider" size={13} />
      </button>
      <button type="button" class={button} aria-label="Zoom out" title="Zoom out (−)" onClick={() => time.zoom(ZOOM)}>
        <Icon name="narrower" size={13} />
      </button>
      <button type="button" class={button} aria-label="Show all of the time" title="Show all (0)" onClick={() => time.show(null)}>
        <Icon name="fit" size={13} />
      </button>
    </div>
  );
}

interface HintProps {
  readonly lane: Lane;
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly frame: Frame;
}

function Hint({ lane, at, x, y, frame }: HintProps): JSX.Element {
  const { origin, now } = frame;
  const near = (frame.to - frame.from) * 0.008;
  const mark = lane.marks.findLast((each) => Math.abs(each.at - at) <= near && markLook(each) !== undefined);
  const segment = lane.segments.find(({ from, to }) => at >= from && at <= (to ?? now));
  const isRight = x > frame.width - 310;
  return (
    <div
      class="hint"
      style={{
        left: isRight ? 'auto' : `${x + 14}px`,
        right: isRight ? `${frame.width - x + 14}px` : 'auto',
        top: `${Math.min(y + 12, frame.height - 74)}px`,
      }}
    >
      <strong class="foreign">{line(lane.label, 60)}</strong>
      {segment !== undefined && (
        <div class="foreign">
          {segmentSays(segment)} · {duration((segment.to ?? now) - segment.from)}
        </div>
      )}
      {mark !== undefined && <div class="foreign">{markSays(mark)}</div>}
      <div class="muted">
        {duration(at - origin)} · {clock(at)}
      </div>
    </div>
  );
}
