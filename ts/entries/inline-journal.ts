// The module with the journal, as text: a part of its own, which only a program comes to that opens a store.

export { default as journal } from '../../pkg/journal.wasm?text';
