// The timeline: the canvas, how it is scrolled, zoomed and dragged, what is said of the place under the pointer. What is
// drawn is `timeline-draw.ts`'s.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
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

export function Timeline({ state }: { readonly state: InspectorState }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const top = useSignal(0);
  const window = useSignal<Window | null>(null);
  const pointer = useSignal<{ x: number; y: number } | null>(null);
  const drag = useRef<{ x: number; y: number; moved: boolean; window: Window; top: number } | null>(null);
  const scene = state.scene.value;
  const order = scene?.outline.order ?? [];
  const laneAt = (at: number): Lane | undefined => {
    const index = order[at];
    return index === undefined ? undefined : scene?.lane(scene.node(index));
  };
  const origin = scene?.startedAt ?? 0;
  const now = scene?.now ?? 0;
  const whole: Window = { from: origin, to: Math.max(origin + 1_000, now + (now - origin) * 0.03) };
  const shown = window.value ?? whole;

  const frame: Frame = {
    count: order.length,
    lane: laneAt,
    width: size.value.width,
    height: size.value.height,
    top: top.value,
    from: shown.from,
    to: shown.to,
    now,
    origin,
    selected: state.selected.value,
    hovered: null,
  };
  const found = pointer.value === null || drag.current?.moved ? undefined : under(frame, pointer.value.x, pointer.value.y);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [size]);

  // Drawn with the page's own frames, once for all that has changed since the last.
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    const { width, height } = size.peek();
    const scale = globalThis.devicePixelRatio || 1;
    if (element.width !== Math.round(width * scale) || element.height !== Math.round(height * scale)) {
      element.width = Math.round(width * scale);
      element.height = Math.round(height * scale);
    }
    context.setTransform(scale, 0, 0, scale, 0, 0);
    draw(context, { ...frame, hovered: found?.lane?.id ?? null }, paletteOf(state.host, state.isDark.peek()));
  });

  const zoom = (factor: number, x?: number): void => {
    const gutter = gutterOf(frame.width);
    const share = x === undefined ? 0.5 : Math.max(0, Math.min(1, (x - gutter) / (frame.width - gutter)));
    const span = shown.to - shown.from;
    const wanted = Math.max(LEAST_SPAN, Math.min(span * factor, (whole.to - whole.from) * 4));
    const from = shown.from + (span - wanted) * share;
    window.value = { from, to: from + wanted };
  };
  const pan = (share: number): void => {
    const by = (shown.to - shown.from) * share;
    window.value = { from: shown.from + by, to: shown.to + by };
  };

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // Not passive: with a modifier, or sideways, the wheel is the timeline's.
    const onWheel = (event: WheelEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) zoomRef.current(event.deltaY > 0 ? ZOOM : 1 / ZOOM, event.offsetX);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        panRef.current((event.deltaX || event.deltaY) / Math.max(1, element.clientWidth));
      } else return;
      event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);
  const zoomRef = useRef(zoom);
  const panRef = useRef(pan);
  zoomRef.current = zoom;
  panRef.current = pan;

  const select = (lane: Lane | undefined): void => {
    if (lane !== undefined) state.select(lane.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const chosen = state.selected.value === null ? undefined : scene?.byKey(state.selected.value);
    const at = chosen === undefined ? -1 : order.indexOf(chosen.index);
    switch (event.key) {
      case '+':
      case '=':
        zoom(1 / ZOOM);
        break;
      case '-':
        zoom(ZOOM);
        break;
      case '0':
        window.value = null;
        break;
      case 'ArrowLeft':
        pan(-0.1);
        break;
      case 'ArrowRight':
        pan(0.1);
        break;
      case 'ArrowDown':
        select(laneAt(Math.min(order.length - 1, at + 1)));
        break;
      case 'ArrowUp':
        select(laneAt(Math.max(0, at - 1)));
        break;
      default:
        return;
    }
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
              style={{ width: `${size.value.width}px`, height: `${size.value.height}px` }}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                drag.current = { x: event.offsetX, y: event.offsetY, moved: false, window: shown, top: top.peek() };
                event.currentTarget.setPointerCapture(event.pointerId);
              }}
              onPointerMove={(event) => {
                const held = drag.current;
                const { offsetX: x, offsetY: y } = event;
                if (held !== null && (held.moved || Math.abs(x - held.x) > 3)) {
                  held.moved = true;
                  const by = ((held.x - x) / (frame.width - gutterOf(frame.width))) * (held.window.to - held.window.from);
                  window.value = { from: held.window.from + by, to: held.window.to + by };
                }
                pointer.value = { x, y };
              }}
              onPointerUp={(event) => {
                if (drag.current?.moved === false) select(under(frame, event.offsetX, event.offsetY).lane);
                drag.current = null;
              }}
              onPointerCancel={() => {
                drag.current = null;
              }}
              onPointerLeave={() => {
                pointer.value = null;
              }}
              onDblClick={() => {
                window.value = null;
              }}
            />
          </div>
        </div>
        {order.length === 0 && (
          <div class="state">
            <strong>Nothing has run yet</strong>
            <p>Each sub-agent gets a lane: when it was queued, ran, was parked, and how it ended.</p>
          </div>
        )}
        {found?.lane !== undefined && pointer.value !== null && (
          <Hint
            lane={found.lane}
            at={found.at}
            origin={origin}
            now={now}
            span={shown.to - shown.from}
            x={pointer.value.x}
            y={pointer.value.y}
            frame={frame}
          />
        )}
      </div>
      <div class="legend">
        <span>
          <i class="queued" /> queued
        </span>
        <span>
          <i class="running" /> running
        </span>
        <span>
          <i class="parked" /> parked
        </span>
        <span>
          <i class="done" /> ended
        </span>
        <span>
          <i class="bad" /> failed, stopping
        </span>
        <span class="space" />
        <button type="button" class="button plain small" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(1 / ZOOM)}>
          <Icon name="wider" size={13} />
        </button>
        <button type="button" class="button plain small" aria-label="Zoom out" title="Zoom out (−)" onClick={() => zoom(ZOOM)}>
          <Icon name="narrower" size={13} />
        </button>
        <button
          type="button"
          class="button plain small"
          aria-label="Show all of the time"
          title="Show all (0)"
          onClick={() => {
            window.value = null;
          }}
        >
          <Icon name="fit" size={13} />
        </button>
      </div>
    </>
  );
}

interface HintProps {
  readonly lane: Lane;
  readonly at: number;
  readonly origin: number;
  readonly now: number;
  readonly span: number;
  readonly x: number;
  readonly y: number;
  readonly frame: Frame;
}

function Hint({ lane, at, origin, now, span, x, y, frame }: HintProps): JSX.Element {
  const near = span * 0.008;
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
      <strong class="told">{line(lane.label, 60)}</strong>
      {segment !== undefined && (
        <div class="told">
          {segmentSays(segment)} · {duration((segment.to ?? now) - segment.from)}
        </div>
      )}
      {mark !== undefined && <div class="told">{markSays(mark)}</div>}
      <div class="muted">
        {duration(at - origin)} · {clock(at)}
      </div>
    </div>
  );
}
