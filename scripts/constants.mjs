// Top-level constants of a bundle. esbuild makes variables of them, and V8 then reads each anew, and asks what it is, at
// every use; what is declared as a constant, a value or a class, goes into the compiled code as it is.

import { parse } from 'acorn';

/** The code with `const` in the place of `var` where a top-level name has its value from the start and gets no other. */
export function withConstants(code, module) {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: module ? 'module' : 'script' });
  const assigned = new Set();
  visit(program, ({ type, left, argument }) => {
    if (type === 'AssignmentExpression' || type === 'ForInStatement' || type === 'ForOfStatement') addTargets(left, assigned);
    if (type === 'UpdateExpression') addTargets(argument, assigned);
  });
  const isConstant = ({ id, init }) => init !== null && id.type === 'Identifier' && !assigned.has(id.name);
  let [made, at] = ['', 0];
  for (const { type, kind, start, end, declarations } of program.body) {
    if (type !== 'VariableDeclaration' || kind !== 'var') continue;
    const lists = [];
    for (const declared of declarations) {
      const keyword = isConstant(declared) ? 'const' : 'var';
      if (lists.at(-1)?.keyword !== keyword) lists.push({ keyword, texts: [] });
      lists.at(-1).texts.push(code.slice(declared.start, declared.end));
    }
    made += `${code.slice(at, start)}${lists.map(({ keyword, texts }) => `${keyword} ${texts.join()};`).join('')}`;
    at = end;
  }
  return made + code.slice(at);
}

/**
 * The code with a mark at each call that only makes the value of a top-level name: a bundler leaves out what a program doesn't
 * use, and can't see by itself that such a call does nothing else.
 */
export function withPureCalls(code) {
  const places = new Set();
  for (const { type, declarations } of parse(code, { ecmaVersion: 'latest', sourceType: 'module' }).body) {
    if (type !== 'VariableDeclaration') continue;
    for (const { init } of declarations)
      visit(init, ({ type, start }) => {
        if (type === 'CallExpression' || type === 'NewExpression') places.add(start);
        return !/Function|Class/.test(type);
      });
  }
  let [made, at] = ['', 0];
  for (const place of [...places].sort((one, other) => one - other)) {
    made += `${code.slice(at, place)}/*#__PURE__*/`;
    at = place;
  }
  return made + code.slice(at);
}

/** Adds the names that get another value; a property of an object does, and the object's name doesn't. */
function addTargets(node, names) {
  visit(node, ({ type, name }) => {
    if (type === 'Identifier') names.add(name);
    return type !== 'MemberExpression';
  });
}

/** Shows a node of the syntax tree, and all within it that `look` doesn't answer with false. */
function visit(node, look) {
  if (typeof node?.type === 'string' && look(node) === false) return;
  for (const part of Object.values(node ?? {})) if (typeof part === 'object') visit(part, look);
}
