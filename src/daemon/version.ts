import { readFileSync } from 'node:fs'

/** The version in package.json, which stands two folders above both the source and what is built from it. */
export function musterVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
