import { CommanderError } from 'commander'
import { EXIT } from '../exit-code.ts'
import { safeLine } from '../render/text/safe-text.ts'

/** What `muster list` can list. */
export const LISTS = [
  'jobs',
  'tasks',
  'landings',
  'sessions',
  'agents',
  'projects',
  'runs',
  'playbooks',
] as const
export type ListKind = (typeof LISTS)[number]

/** A list can also be named in the singular. Throws an error of our own, because commander would put "command-argument value" before its own errors. */
export function listKind(text: string): ListKind {
  const kind = LISTS.find((known) => known === text || known === `${text}s`)
  if (kind !== undefined) return kind
  const known = LISTS.join(', ').replace(/, (\w+)$/, ' or $1')
  throw new CommanderError(
    EXIT.usage,
    'muster.listUnknown',
    `"${safeLine(text, 40)}" can't be listed; use ${known}`,
  )
}
