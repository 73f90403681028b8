import type { EngineSettings } from '../engine-needs.ts'

/** The person's home directories: the one that HOME names, and that of their account if it is another. */
export function homesOf({
  personHome,
  accountHome,
}: Pick<EngineSettings, 'personHome' | 'accountHome'>): readonly [string, ...string[]] {
  return accountHome === undefined ? [personHome] : [personHome, accountHome]
}
