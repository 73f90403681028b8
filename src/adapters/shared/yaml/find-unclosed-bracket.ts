import { Lexer } from 'yaml'

export type UnclosedBracket = { readonly bracket: string; readonly offset: number }

const CLOSING: Readonly<Record<string, string>> = { '}': '{', ']': '[' }
/** The lexer marks where a scalar begins, and where it gives up a map or a list in brackets. Neither is text. */
const SCALAR = '\u001f'
const GIVEN_UP = '\u0018'
const MARKS: ReadonlySet<string> = new Set([SCALAR, GIVEN_UP, '\u0002'])

/** The first bracket that is never closed. The parser reports only the line where it stopped looking for its end. */
export function findUnclosedBracket(text: string): UnclosedBracket | undefined {
  const open: UnclosedBracket[] = []
  let offset = 0
  let previous = ''
  for (const token of new Lexer().lex(text)) {
    if (token === GIVEN_UP) break
    if (previous !== SCALAR) track(open, token, offset)
    if (!MARKS.has(token)) offset += token.length
    previous = token
  }
  return open.at(-1)
}

function track(open: UnclosedBracket[], token: string, offset: number): void {
  if (token === '{' || token === '[') open.push({ bracket: token, offset })
  else if (open.at(-1)?.bracket === CLOSING[token]) open.pop()
}
