import { plainText } from '../../../../domain/plain-text.ts'
import type { GitFailure } from '../../../../domain/repository/repository-failure.ts'
import { type Result, success } from '../../../../domain/result.ts'
import type { PinOwner } from '../../../../ports/pins.ts'
import type { HubGit } from '../process/companions.ts'
import { gitText } from '../process/git-answer.ts'
import { isObjectId } from './object-id.ts'

const REFUSALS = 'refs/muster/refusals/'
const REASON_CHARACTERS = 1_000
const LINE = /^(\S+) (\S+) (.*)$/

/** Why work was refused, and the commit with that work. */
export type Refusal = { readonly commit: string; readonly reason: string }

/** The tag next to a pin that says why its work was refused. It counts only while the pin is at the same commit. */
export function refusalOf(id: PinOwner): string {
  return `${REFUSALS}${id}`
}

/** A reason may name files of an agent. People print it, and it is one line of a list. */
export function reasonText(reason: string): string {
  return plainText(reason).replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARACTERS)
}

/** Makes a tag object of the commit, with the reason as its message. The same refusal always makes the same tag. */
export async function makeRefusal(
  needs: HubGit,
  hub: string,
  id: PinOwner,
  { commit, reason }: Refusal,
): Promise<Result<string, GitFailure>> {
  const header = `object ${commit}\ntype commit\ntag ${id}\ntagger Muster <muster@localhost> 0 +0000\n`
  return await gitText(needs.git, { directory: hub, arguments: ['mktag'], input: `${header}\n${reason}\n` })
}

export async function findRefusal(
  needs: HubGit,
  hub: string,
  id: PinOwner,
): Promise<Result<Refusal | undefined, GitFailure>> {
  const ref = refusalOf(id)
  // Almost always there is none, which a companion knows without starting a process.
  const answer = await needs.companions.ask(hub, 'cat-file', `info ${ref}\n`)
  if (answer?.toString('utf8') === `${ref} missing\n`) return success(undefined)
  const listed = await listRefusals(needs, hub, ref)
  return listed.ok ? success(listed.value.get(ref)) : listed
}

/** The refusals by their refs. */
export async function listRefusals(
  needs: Pick<HubGit, 'git'>,
  hub: string,
  pattern = REFUSALS,
): Promise<Result<ReadonlyMap<string, Refusal>, GitFailure>> {
  const listed = await gitText(needs.git, {
    directory: hub,
    arguments: ['for-each-ref', '--format=%(*objectname) %(refname) %(contents:subject)', pattern],
  })
  if (!listed.ok) return listed
  const found = listed.value.split('\n').flatMap((line) => {
    const [, commit = '', ref = '', reason = ''] = LINE.exec(line) ?? []
    return isObjectId(commit) ? [[ref, { commit, reason }] as const] : []
  })
  return success(new Map(found))
}
