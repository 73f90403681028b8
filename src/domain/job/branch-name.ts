// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what git forbids here.
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|^[-./@]|[/.]$|^HEAD$/

/** Git's rules for a branch name, plus: nothing that could be taken for an option. */
export function isBranchName(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !FORBIDDEN.test(text)
}
