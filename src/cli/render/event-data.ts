import type { WireEvent } from '../../contract/event.ts'
import { safeHead, safeLine } from './safe-text.ts'

/** A field of an event as one safe line; empty when it is absent or no text. */
export function textOf(event: Pick<WireEvent, 'data'>, ...names: readonly string[]): string {
  for (const name of names) {
    const value = event.data[name]
    if (typeof value === 'string' && value !== '') return safeLine(value)
    if (typeof value === 'number') return String(value)
  }
  return ''
}

/** The first line of a field; the rest is for whoever looks closer. */
export function headOf(event: Pick<WireEvent, 'data'>, ...names: readonly string[]): string {
  const found = names
    .map((name) => event.data[name])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? safeHead(found) : ''
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

/** A field that is an object; empty for anything else. */
export function recordIn(event: Pick<WireEvent, 'data'>, name: string): Readonly<Record<string, unknown>> {
  const value = event.data[name]
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}
