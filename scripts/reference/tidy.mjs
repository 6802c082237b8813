// What typedoc has read is made shorter before it is written: each thing stands once. Owns what is left out of the pages.

import { Comment, Converter, ReflectionKind } from 'typedoc';
import { MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';

/**
 * @param {import('typedoc').Application} app
 * @param {(file: string) => string | undefined} entryOf What users import what is declared in a file from, where the page doesn't say it.
 */
export function tidy(app, entryOf) {
  app.renderer.defineTheme('short', ShortTheme);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const all = project.getReflectionsByKind(ReflectionKind.Class | ReflectionKind.Interface);
    const places = new Set(all.map((each) => placeOf(each, project)));
    for (const each of all) {
      for (const member of [...(each.children ?? [])]) {
        if (isRepeated(member, each, project, places)) project.removeReflection(member);
        else if (member.kindOf(ReflectionKind.Accessor)) asProperty(member);
      }
    }
    for (const each of project.children?.flatMap((page) => page.children ?? []) ?? []) {
      const entry = entryOf(project.getSymbolIdFromReflection(each)?.fileName ?? '');
      if (entry === undefined) continue;
      for (const told of each.signatures ?? [each]) {
        told.comment ??= new Comment();
        told.comment.summary.unshift({ kind: 'text', text: `From ${entry}. ` });
      }
    }
  });
}

/** Members that stand with a parent that has a place of its own, and constructors that aren't for users. */
function isRepeated(member, owner, project, places) {
  if (member.kindOf(ReflectionKind.Constructor)) return !member.signatures?.some((signature) => signature.hasComment());
  const from = placeOf(member, project);
  return from !== placeOf(owner, project) && places.has(from);
}

/** The file and the name of what is declared in it: of a member, the interface or class that it stands in. */
function placeOf(reflection, project) {
  const symbol = project.getSymbolIdFromReflection(reflection);
  return symbol && `${symbol.fileName} ${symbol.qualifiedName.split('.')[0]}`;
}

/** What is read with a getter is read as a field is: a row of the table instead of a chapter. */
function asProperty(member) {
  const { getSignature } = member;
  if (getSignature === undefined) return;
  member.kind = ReflectionKind.Property;
  member.type = getSignature.type;
  member.comment = getSignature.comment;
  member.getSignature = undefined;
}

/** The line of a signature has its types: parameters stand below it where something is said of them. */
class ShortTheme extends MarkdownTheme {
  getRenderContext(page) {
    const context = new MarkdownThemeContext(this, page, this.application.options);
    const { declaration, memberWithGroups, signature } = context.partials;
    const said = (parameter) => parameter.hasComment() || parameter.type?.declaration?.children?.some((child) => child.hasComment());
    /** Carries out `write` while lists of which nothing is said are hidden. */
    const without = (model, lists, write) => {
      const hidden = lists.filter((list) => !model[list]?.some(said)).map((list) => [list, model[list]]);
      for (const [list] of hidden) model[list] = undefined;
      const text = write();
      for (const [list, value] of hidden) model[list] = value;
      return text;
    };
    const typed =
      (write) =>
      (model, ...options) =>
        without(model, ['typeParameters'], () => write(model, ...options));
    context.partials = {
      ...context.partials,
      inheritance: () => '',
      signatureReturns: () => '',
      memberWithGroups: typed(memberWithGroups),
      declaration: typed(declaration),
      signature(model, options) {
        const title = options.hideTitle ? '' : context.partials.signatureTitle(model, options);
        return without(model, ['parameters', 'typeParameters'], () => `${title}\n\n${signature(model, { ...options, hideTitle: true })}`);
      },
    };
    return context;
  }
}
