import { safeLine, visibleText } from '../text/safe-text.ts'

const INPUT_LIMIT = 160

/** What a tool is mostly about, where its input says more than one thing. */
const MAIN_ARGUMENTS = ['command', 'file_path', 'filePath', 'path', 'pattern', 'url'] as const

/** A tool with what it is used on: `Bash  npm test`. `all`: nothing of the input is left out. */
export function toolWords(tool: unknown, input: unknown, extent: 'main' | 'all'): string {
  return `${safeLine(String(tool))}  ${inputWords(input, extent)}`.trim()
}

export function inputWords(input: unknown, extent: 'main' | 'all'): string {
  if (input === undefined) return ''
  const argument = typeof input === 'string' ? input : argumentOf(input, extent)
  // Whoever is asked has to see what a terminal would hide.
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
