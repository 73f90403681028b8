import { safeLine, visibleText } from '../text/safe-text.ts'

const INPUT_LIMIT = 160

/** The main argument of a tool whose input has several. */
const MAIN_ARGUMENTS = ['command', 'file_path', 'filePath', 'path', 'pattern', 'url'] as const

/** A tool and its input: `Bash  npm test`. `all` omits nothing of the input. */
export function toolWords(tool: unknown, input: unknown, extent: 'main' | 'all'): string {
  return `${safeLine(String(tool))}  ${inputWords(input, extent)}`.trim()
}

export function inputWords(input: unknown, extent: 'main' | 'all'): string {
  if (input === undefined) return ''
  const argument = typeof input === 'string' ? input : argumentOf(input, extent)
  // The person who decides has to see what a terminal would hide.
  return safeLine(visibleText(argument ?? JSON.stringify(input)), INPUT_LIMIT)
}

function argumentOf(input: unknown, extent: 'main' | 'all'): string | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const given = input as Readonly<Record<string, unknown>>
  const names = Object.keys(given)
  const [only] = names
  const main = names.length === 1 ? only : MAIN_ARGUMENTS.find((name) => typeof given[name] === 'string')
  if (main === undefined || (extent === 'all' && names.length > 1)) return undefined
  const value = given[main]
  return typeof value === 'string' ? value : undefined
}
