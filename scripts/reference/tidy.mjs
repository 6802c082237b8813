// Shortens what typedoc has read before it is written, so that each thing appears once. Owns what the pages leave out.

import { Comment, Converter, LiteralType, ReferenceType, ReflectionKind, UnionType } from 'typedoc';
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';

/**
 * @param {import('typedoc').Application} app
 * @param {(file: string) => string | undefined} entryOf The entry of a file's declarations, unless the page names it.
 */
export function tidy(app, entryOf) {
  app.renderer.defineTheme('short', ShortTheme);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const all = project.getReflectionsByKind(ReflectionKind.Class | ReflectionKind.Interface);
    for (const each of Object.values(project.reflections)) asSentence(each.comment);
    for (const each of all) fromOrigin(each);
    const places = new Set(all.map((each) => placeOf(each, project)));
    const names = new Map(all.map((each) => [each, new Set(each.children?.map(({ name }) => name))]));
    for (const each of all) {
      for (const member of [...(each.children ?? [])]) {
        if (isRepeated(member, each, project, places, names)) project.removeReflection(member);
        else if (member.kindOf(ReflectionKind.Accessor)) asProperty(member);
      }
    }
    nameLists(project);
    for (const each of project.children?.flatMap((page) => page.children ?? []) ?? []) {
      const entry = entryOf(project.getSymbolIdFromReflection(each)?.fileName ?? '');
      if (entry === undefined) continue;
      for (const documented of each.signatures ?? [each]) {
        documented.comment ??= new Comment();
        documented.comment.summary.unshift({ kind: 'text', text: `From ${entry}. ` });
      }
    }
  });
}

/** Whether a member is already on the page, in a parent type; also true of constructors that aren't for users. */
function isRepeated(member, owner, project, places, names) {
  if (member.kindOf(ReflectionKind.Constructor)) return !member.signatures?.some((signature) => signature.hasComment());
  const from = placeOf(member, project);
  if (from === placeOf(owner, project)) return false;
  return places.has(from) || owner.extendedTypes?.some(({ reflection }) => names.get(reflection)?.has(member.name));
}

/** The file and the name of a declaration; for a member, of its interface or class. */
function placeOf(reflection, project) {
  const symbol = project.getSymbolIdFromReflection(reflection);
  return symbol && `${symbol.fileName} ${symbol.qualifiedName.split('.')[0]}`;
}

/** A getter becomes a field: a row of the table instead of a chapter. */
function asProperty(member) {
  const { getSignature } = member;
  if (getSignature === undefined) return;
  member.kind = ReflectionKind.Property;
  member.type = getSignature.type;
  member.comment = getSignature.comment;
  member.getSignature = undefined;
  // Otherwise the type of the row would be that of the setter.
  member.setSignature = undefined;
}

/** A heading within a comment would end the comment's chapter, so text below a heading of rustdoc gets a verb instead. */
function asSentence(comment) {
  for (const part of comment?.summary ?? []) {
    part.text = part.text.replaceAll(/^# Errors\n+(\w)/gm, (_, first) => `Throws ${first.toLowerCase()}`);
  }
}

/** Fields that `Pick` and the like make from another class get the comments of that class. */
function fromOrigin(owner) {
  const mute = owner.children?.filter((member) => member.kindOf(ReflectionKind.Property) && !member.hasComment()) ?? [];
  if (mute.length === 0) return;
  const origins = new Set();
  for (const type of owner.extendedTypes ?? []) collect(type, origins);
  for (const member of mute) {
    for (const origin of origins) {
      const comment = commentOf(origin, member.name);
      // Only the origin has the long text.
      if (comment !== undefined) member.comment ??= new Comment(divided(comment).first.map((part) => ({ ...part })));
    }
  }
}

/** Collects the classes and interfaces of a type in `found`. */
function collect(type, found) {
  if (type?.type === 'reference' && type.reflection?.kindOf(ReflectionKind.ClassOrInterface)) found.add(type.reflection);
  const { typeArguments = [], templateType, objectType, parameterType } = type ?? {};
  for (const part of [...typeArguments, templateType, objectType, parameterType]) if (part !== undefined) collect(part, found);
  if (type?.type === 'reflection') for (const child of type.declaration.children ?? []) collect(child.type, found);
}

/** The comment of a class on a member, own or inherited. */
function commentOf(owner, name) {
  const member = owner?.children?.find((each) => each.name === name);
  const comment = member?.comment ?? member?.getSignature?.comment ?? member?.signatures?.find((each) => each.comment)?.comment;
  if (comment !== undefined) return comment;
  return owner?.extendedTypes?.map((type) => commentOf(type.reflection, name)).find((comment) => comment !== undefined);
}

/** A type that lists all names of a closed list is shown by the list's name. */
function nameLists(project) {
  const constants = new Map(project.getReflectionsByKind(ReflectionKind.Variable).map((each) => [each.name, each.type]));
  const lists = project.getReflectionsByKind(ReflectionKind.TypeAlias).flatMap((alias) => {
    const { type } = alias;
    if (type?.type !== 'indexedAccess' || type.objectType.type !== 'query') return [];
    const values = literalsOf(constants.get(type.objectType.queryType.name));
    return values.length > 1 ? [{ alias, values }] : [];
  });
  lists.sort((one, other) => other.values.length - one.values.length);
  const named = (type) => {
    if (type instanceof UnionType) {
      const values = new Set(type.types.filter((each) => each instanceof LiteralType).map(({ value }) => value));
      const list = lists.find((list) => list.values.every((value) => values.has(value)));
      const others = type.types.filter((each) => !(each instanceof LiteralType && list?.values.includes(each.value)));
      const reference = list && [ReferenceType.createResolvedReference(list.alias.name, list.alias, project)];
      const types = [...(reference ?? []), ...others.map(named)];
      return types.length === 1 ? types[0] : new UnionType(types);
    }
    if (type?.typeArguments !== undefined) type.typeArguments = type.typeArguments.map(named);
    if (type?.elementType !== undefined) type.elementType = named(type.elementType);
    if (type?.type === 'typeOperator') type.target = named(type.target);
    return type;
  };
  for (const each of Object.values(project.reflections)) {
    if (each.type !== undefined) each.type = named(each.type);
  }
}

/** The texts of a constant list, as its type has them. */
function literalsOf(type) {
  const tuple = type?.type === 'typeOperator' ? type.target : type;
  return tuple?.type === 'tuple' ? tuple.elements.map(({ value }) => value) : [];
}

/** Divides a comment at its first blank line. */
function divided({ summary }) {
  const at = summary.findIndex(({ kind, text }) => kind === 'text' && text.includes('\n\n'));
  if (at === -1) return { first: summary, rest: [] };
  const part = summary[at];
  const [text, ...others] = part.text.split('\n\n');
  return { first: [...summary.slice(0, at), { ...part, text }], rest: [{ ...part, text: others.join('\n\n') }, ...summary.slice(at + 1)] };
}

/**
 * The line of a signature has its types. Parameters are below it if they have comments. A row of a table has the first
 * paragraph of a comment; the others follow below the table.
 */
class ShortTheme extends MarkdownTheme {
  getRenderContext(page) {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    const { comment, declaration, declarationTitle, memberWithGroups, signature } = context.partials;
    const { parametersTable, propertiesTable, typeDeclarationTable } = context.partials;
    const named = new Map(Object.values(page.project.reflections).map((each) => [each.comment, each.name]));
    let remarks = [];
    const remarked =
      (write) =>
      (...given) => {
        const before = remarks;
        remarks = [];
        const text = [write(...given), ...remarks].join('\n\n');
        remarks = before;
        return text;
      };
    const said = (parameter) => parameter.hasComment() || parameter.type?.declaration?.children?.some((child) => child.hasComment());
    /** Carries out `write` while undocumented lists are hidden. */
    const without = (model, lists, write) => {
      const hidden = lists.filter((list) => !model[list]?.some(said)).map((list) => [list, model[list]]);
      for (const [list] of hidden) model[list] = undefined;
      const text = write();
      for (const [list, value] of hidden) model[list] = value;
      return text;
    };
    const unsaid = new Map();
    const typed =
      (write) =>
      (model, ...options) => {
        unsaid.set(model, model.typeParameters);
        return without(model, ['typeParameters'], () => write(model, ...options));
      };
    context.partials = {
      ...context.partials,
      comment(model, options) {
        if (!options?.isTableColumn) return comment(model, options);
        const { first, rest } = divided(model);
        const cell = model.clone();
        cell.summary = first;
        const text = comment(cell, options);
        if (rest.length === 0) return text;
        remarks.push(`**\`${named.get(model)}\`**\n\n${context.helpers.getCommentParts(rest)}`);
        return `${text.trimEnd()} ↓`;
      },
      parametersTable: remarked(parametersTable),
      propertiesTable: remarked(propertiesTable),
      typeDeclarationTable: remarked(typeDeclarationTable),
      inheritance: () => '',
      signatureReturns: () => '',
      memberWithGroups: typed(memberWithGroups),
      declaration: typed(declaration),
      declarationTitle(model, ...options) {
        const { typeParameters } = model;
        model.typeParameters ??= unsaid.get(model);
        const text = declarationTitle(model, ...options);
        model.typeParameters = typeParameters;
        return text;
      },
      signature(model, options) {
        const title = options.hideTitle ? '' : context.partials.signatureTitle(model, options);
        return without(model, ['parameters', 'typeParameters'], () => `${title}\n\n${signature(model, { ...options, hideTitle: true })}`);
      },
    };
    return context;
  }
}
