// A list with only its visible rows in the page. Owns the connection of the virtual list to a component.

import { elementScroll, observeElementOffset, observeElementRect, type VirtualItem, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks';

export interface Rows {
  readonly items: readonly VirtualItem[];
  /** The height of all rows, in pixels. */
  readonly height: number;
  show(index: number): void;
}

/** Rows of one height in a scrolling element. */
export function useRows(count: number, size: number, scroller: RefObject<HTMLElement | null>): Rows {
  const [, again] = useReducer((times: number) => times + 1, 0);
  const options = {
    count,
    estimateSize: () => size,
    getScrollElement: () => scroller.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 6,
    onChange: () => again(undefined as never),
  };
  const held = useRef<Virtualizer<HTMLElement, Element>>(undefined);
  held.current ??= new Virtualizer<HTMLElement, Element>(options);
  const virtual = held.current;
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), [virtual]);
  useLayoutEffect(() => virtual._willUpdate());
  useLayoutEffect(() => virtual.measure(), [virtual, size]);
  return {
    items: virtual.getVirtualItems(),
    height: virtual.getTotalSize(),
    show: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}
