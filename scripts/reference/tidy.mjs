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
    for (const each of project.getReflectionsByKind(ReflectionKind.Class)) {
      for (const member of [...(each.children ?? [])]) {
        if (isRepeated(member, each, project)) project.removeReflection(member);
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
function isRepeated(member, owner, project) {
  if (member.kindOf(ReflectionKind.Constructor)) return !member.signatures?.some((signature) => signature.hasComment());
  const [own, from] = [owner, member].map((each) => project.getSymbolIdFromReflection(each));
  if (own === undefined || from === undefined) return false;
  return own.fileName !== from.fileName || from.qualifiedName !== `${own.qualifiedName}.${member.name}`;
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
    const { signature } = context.partials;
    const said = (parameter) => parameter.hasComment() || parameter.type?.declaration?.children?.some((child) => child.hasComment());
    context.partials = {
      ...context.partials,
      inheritance: () => '',
      signatureReturns: () => '',
      signature(model, options) {
        const { parameters, typeParameters } = model;
        const title = options.hideTitle ? '' : context.partials.signatureTitle(model, options);
        if (!parameters?.some(said)) model.parameters = undefined;
        if (!typeParameters?.some(said)) model.typeParameters = undefined;
        const text = signature.call(context, model, { ...options, hideTitle: true });
        Object.assign(model, { parameters, typeParameters });
        return `${title}\n\n${text}`;
      },
    };
    return context;
  }
}
