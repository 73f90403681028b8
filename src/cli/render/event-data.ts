import type { WireEvent } from '../../contract/event.ts'
import { safeLine } from './safe-text.ts'

/** A field of an event as one safe line; empty when it is absent or no text. */
export function textOf(event: Pick<WireEvent, 'data'>, ...names: readonly string[]): string {
  for (const name of names) {
    const value = event.data[name]
    if (typeof value === 'string' && value !== '') return safeLine(value)
    if (typeof value === 'number') return String(value)
  }
  return ''
}

export function listOf(event: Pick<WireEvent, 'data'>, name: string): readonly unknown[] {
  const value = event.data[name]
  return Array.isArray(value) ? value : []
}

/** The texts of a list, each on one safe line. */
export function textsOf(event: Pick<WireEvent, 'data'>, name: string): readonly string[] {
  return listOf(event, name)
    .filter((value) => typeof value === 'string')
    .map((value) => safeLine(value))
}
