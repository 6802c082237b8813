// What each promise of the life must have settled to.

export function open(model, name) {
  model.promises.set(name, { state: 'open' });
}

export function answer(model, name, value) {
  model.promises.set(name, { state: 'told', value });
}

export function refuse(model, name, code) {
  model.promises.set(name, { state: 'refused', code });
}
