/**
 * The files that a scope, such as the issues of a review, doesn't mention. A file is mentioned if its path, or at least its
 * own name, stands anywhere in the scope's texts. It is a hint for a reviewer, and forbids nothing.
 */
export function filesBeyond(scope: unknown, files: readonly string[]): readonly string[] {
  const text = textsIn(scope).join('\n')
  return files.filter((file) => !isMentioned(text, file))
}

function isMentioned(text: string, file: string): boolean {
  const name = file.split('/').at(-1) ?? file
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !isOfName(text[at - 1]) && !isOfName(text[at + name.length])
    if (isWhole) return true
  }
  return false
}

/** Whether a character continues a file's name: `a.ts` isn't meant by `data.ts`. */
function isOfName(character: string | undefined): boolean {
  return character !== undefined && /[\w-]/.test(character)
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((part: unknown) => textsIn(part))
}
