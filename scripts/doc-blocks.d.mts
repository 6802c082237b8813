/** A code block of the documentation. */
export interface DocBlock {
  page: string;
  /** The line of its fence. */
  line: number;
  language: string;
  /** The words after the language in the fence's line: `no-run`, `continues`. */
  words: string[];
  /** `<!-- file: PATH -->`: the file that it shows. */
  file: string | undefined;
  /** `<!-- framework: NAME -->`: the framework of tests/frameworks whose packages it uses. */
  framework: string | undefined;
  /** `<!-- given: CODE -->`: code before it that readers don't see. */
  given: string;
  code: string;
  /** The block of text right after it. */
  printed: string | undefined;
}

export function pagesOf(root: string): string[];
export function blocksOf(root: string, page: string): DocBlock[];
