import { readdir } from 'node:fs/promises'
import { readIfPresent } from './read-if-present.ts'

/** A living process of a terminal's session. */
export type SessionMember = { readonly pid: number; readonly group: number }

/**
 * The processes whose session `leader` leads, or led. Empty where there is no /proc: the leader's group is all
 * that can be reached there.
 */
export async function sessionMembers(leader: number): Promise<readonly SessionMember[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(readMember))
  return found
    .filter((member) => member !== undefined)
    .filter((member) => member.session === leader && !member.isGone)
    .map(({ pid, group }) => ({ pid, group }))
}

async function readMember(name: string) {
  const stat = await readIfPresent(`/proc/${name}/stat`)
  if (stat === undefined) return undefined
  // The name before the last parenthesis may itself hold spaces and parentheses.
  const [state, , group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const isGone = state === 'Z' || state === 'X'
  return { pid: Number(name), group: Number(group), session: Number(session), isGone }
}
