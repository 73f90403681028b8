import { safeLine, safeText } from './safe-text.ts'

export type Field = readonly [name: string, value: string | number | undefined]

/** Names and values in two columns. Fields without a value are left out. */
export function fieldLines(fields: readonly Field[]): readonly string[] {
  return fields
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${name.padEnd(12)} ${safeLine(String(value))}`)
}

export function indentedText(text: string): readonly string[] {
  return safeText(text)
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
}
