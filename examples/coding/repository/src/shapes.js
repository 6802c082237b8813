export function calculateArea({ width, height }) {
  return width * height;
}

export function describe(shape) {
  return `${shape.width} by ${shape.height}, area ${calculateArea(shape)}`;
}
