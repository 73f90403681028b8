import type { HiddenNames } from '../../../../domain/session/sandbox-policy.ts'

/** Whether something called `name` in a directory called `place` is to be hidden, if it is of this kind. */
export type NameMatch = (kind: 'files' | 'directories', place: string, name: string) => boolean

/** Capitals don't matter: many programs, and the file systems of some machines, treat such names alike. */
export function matchNames(names: HiddenNames): NameMatch {
  const matches = {
    files: matchAny(names.files),
    directories: matchAny(names.directories),
    harmless: matchAny(names.harmlessFiles ?? []),
  }
  return (kind, place, name) => {
    const isListed = matches[kind](name) || matches[kind](`${place}/${name}`)
    return isListed && !(kind === 'files' && matches.harmless(name))
  }
}

function matchAny(names: readonly string[]): (name: string) => boolean {
  const small = names.map((name) => name.toLowerCase())
  const exact = new Set(small)
  const parts = small.filter((name) => name.includes('*')).map((name) => name.split('*'))
  return (name) => {
    const one = name.toLowerCase()
    return exact.has(one) || parts.some(([start = '', end = '']) => surrounds(one, start, end))
  }
}

function surrounds(name: string, start: string, end: string): boolean {
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
}
