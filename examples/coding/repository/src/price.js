import { calculateArea } from './shapes.js';

const PRICE_OF_A_SQUARE = 3;

export function price(shapes) {
  let tot = 0;
  for (const shape of shapes) tot += calculateArea(shape) * PRICE_OF_A_SQUARE;
  return tot;
}
