import { styleText } from 'node:util'
import type { OutputStream, Surroundings } from '../../surroundings.ts'

export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'bad' | 'warn' | 'accent'
export type Paint = (tone: Tone, text: string) => string

const STYLES = {
  strong: 'bold',
  dim: 'dim',
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  accent: 'cyan',
} as const satisfies Record<Exclude<Tone, 'plain'>, Parameters<typeof styleText>[0]>

/** Adds colours to text, or returns it unchanged if `colour` is false. */
export function createPaint(colour: boolean): Paint {
  if (!colour) return (_tone, text) => text
  return (tone, text) => (tone === 'plain' ? text : styleText(STYLES[tone], text, { validateStream: false }))
}

/** By convention, NO_COLOR counts if it is set and not empty. */
export function wantsColour(
  needs: Pick<Surroundings, 'environment'>,
  stream: OutputStream,
  asked: boolean,
): boolean {
  if (!asked || stream.isTTY !== true) return false
  const noColour = needs.environment['NO_COLOR']
  if (noColour !== undefined && noColour !== '') return false
  return needs.environment['TERM'] !== 'dumb'
}
