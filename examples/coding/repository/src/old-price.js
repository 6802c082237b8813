export const oldPrice = () => 42;
