export function insidesOf<M extends object>(Manager: new () => M): (manager: M) => never;
