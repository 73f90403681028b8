import { type CheckProblem, failureKindOf } from '../../domain/check/check-problem.ts'
import type { ProjectId } from '../../domain/id.ts'
import { LANDING_LIMITS } from '../../domain/limits/landing-limits.ts'
import { GIVE_UP_AFTER_MS } from '../../domain/limits/retry-limits.ts'
import { describeSessionEnd } from '../../domain/session/describe-session-end.ts'
import type { Session } from '../../domain/session/session.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import { withoutSetupOutput } from '../../domain/session/setup-output.ts'
import { describeFailure } from '../describe-failure.ts'
import type { EngineNeeds } from '../engine-needs.ts'
import { readSpoolEnd, type SpoolEndNeeds } from '../sessions/read-spool-end.ts'

type Needs = SpoolEndNeeds & Pick<EngineNeeds, 'trees' | 'clock'>

// A list of tasks shows a hundred characters of a line, and advice that is cut helps no one.
const REMEDY =
  'Both must leave tracked files as they are: use "npm ci" instead of "npm install", for example.'
const OWN_REMEDY = 'What setup or a check creates must not be committed.'
const NAMED = 3

/** The tree that a check ran in. */
export type CheckedTree = {
  readonly projectId: ProjectId
  readonly directory: string
  readonly commit: string
  /** The setup commands that ran in it. */
  readonly setup: readonly string[]
  /** The files that the work of a task adds; absent if the tree is not about the work of a task. */
  readonly readCreated?: () => Promise<readonly string[]>
}

/** Why a check has not passed; undefined if it has. */
export async function findCheckProblem(
  needs: Needs,
  tree: CheckedTree,
  session: Session,
  end: SessionEnd,
): Promise<CheckProblem | undefined> {
  if (end.type !== 'exited' || end.code !== 0) {
    const text = `${describeSessionEnd(end)}${await outputOfCheck(needs, session)}`
    const kind = failureKindOf(end)
    return kind === undefined ? { text } : { kind, text }
  }
  // The tree that passed must be the tree that lands, so a check must not rewrite the files it checks.
  const altered = await needs.trees.alteredFiles(tree.projectId, tree.directory, tree.commit)
  if (!altered.ok) {
    return {
      text: orLater(needs, session, `left a tree that cannot be read: ${describeFailure(altered.failure)}`),
    }
  }
  if (altered.value.length === 0) return undefined
  return { kind: 'altered', text: await alteredWords(tree, altered.value) }
}

/** A setup runs in the same tree before the check, so either of them may have changed the files. */
async function alteredWords(tree: CheckedTree, altered: readonly string[]): Promise<string> {
  if (tree.setup.length === 0) return `changed tracked files, which a check must not do: ${named(altered)}`
  const created = new Set(await tree.readCreated?.())
  const own = altered.filter((path) => created.has(path))
  return own.length === 0
    ? `proves nothing: setup or the check changed tracked files: ${named(altered)}\n${REMEDY}`
    : `proves nothing: this task committed ${named(own)}, which setup or the check rewrites\n${OWN_REMEDY}`
}

function named(paths: readonly string[]): string {
  const more = paths.length - NAMED
  const shown = paths.slice(0, NAMED).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

/** A tree that can't be read counts as altered, so the next check gets a new one. */
export async function isAltered(needs: Pick<Needs, 'trees'>, tree: CheckedTree): Promise<boolean> {
  const altered = await needs.trees.alteredFiles(tree.projectId, tree.directory, tree.commit)
  return !altered.ok || altered.value.length > 0
}

/** The end of a failed check's output, for a person or the next planner. */
async function outputOfCheck(needs: SpoolEndNeeds, session: Session): Promise<string> {
  const texts = await Promise.all(
    (['out', 'err'] as const).map(async (spool) => {
      const end = await readSpoolEnd(needs, session, spool, LANDING_LIMITS.checkOutputBytes)
      const text = end.text.replaceAll('\u0000', '\ufffd')
      return (spool === 'err' ? withoutSetupOutput(text) : text).trim()
    }),
  )
  const text = texts.filter((part) => part !== '').join('\n')
  return text === '' ? '' : `:\n${text}`
}

/**
 * Throws for a while, so that a problem of the machine is retried. After that, the problem counts as a failure. The
 * time before a daemon noticed the end of the check doesn't count.
 */
function orLater({ clock }: Pick<Needs, 'clock'>, { id, endedAt }: Session, problem: string): string {
  const now = clock.now()
  const waitedMs = now.getTime() - (endedAt ?? now).getTime()
  if (waitedMs < GIVE_UP_AFTER_MS) throw new Error(`check ${id} ${problem}`)
  return problem
}
