import type { Job } from '../../domain/job/job.ts'
import type { CheckResult, Landing } from '../../domain/landing/landing.ts'
import type { LandingState } from '../../domain/landing/landing-state.ts'
import { describeSessionEnd } from '../../domain/session/describe-session-end.ts'
import type { SessionEnd } from '../../domain/session/session-state.ts'
import { describeFailure } from '../describe-failure.ts'
import { hostOf } from '../sessions/host-of.ts'
import type { LandingNeeds } from './landing-needs.ts'
import { newCheck } from './new-check.ts'
import { treeOfCheck } from './start-check.ts'
import { storeLanding } from './store-landing.ts'

type Checking = Extract<LandingState, { type: 'checking' }>

/** How often a check that nobody saw end is run again before the landing is refused. */
const MAX_LOST_CHECKS = 3
const DETAIL_BYTES = 4000

/** Waits for the check's end, then goes on to the next check, to the branch, or to a refusal. */
export async function judgeCheck(
  needs: LandingNeeds,
  job: Job,
  landing: Landing,
  state: Checking,
): Promise<boolean> {
  const session = await needs.store.read.sessions.find(state.sessionId)
  if (session?.state.type !== 'terminated') return false
  const { end } = session.state
  const command = job.plan.checks[state.checkIndex] ?? session.agentName
  const problem = await problemOf(needs, job, landing, state, end)
  const passed = problem === undefined
  const result: CheckResult = { command, passed, detail: problem ?? 'passed', tree: state.tree }
  const checks = [...landing.checks, result]
  const moved = passed
    ? await passCheck(needs, job, landing, state, checks)
    : await failCheck(needs, landing, state, { checks, end, result })
  if (moved) await clearAway(needs, landing, state, passed && state.checkIndex + 1 < job.plan.checks.length)
  return moved
}

/** Why a check has not passed; nothing when it has. */
async function problemOf(
  needs: LandingNeeds,
  job: Job,
  landing: Landing,
  state: Checking,
  end: SessionEnd,
): Promise<string | undefined> {
  if (end.type !== 'exited' || end.code !== 0) {
    return `${describeSessionEnd(end)}${await outputOf(needs, state)}`
  }
  // What passed must be what lands: a check that rewrites the files it checks has checked something else.
  const directory = treeOfCheck(needs, landing, state.commit)
  const altered = await needs.hub.alteredFiles(job.projectId, directory, state.commit)
  if (!altered.ok) throw new Error(`the checked tree cannot be read: ${describeFailure(altered.failure)}`)
  return altered.value.length === 0
    ? undefined
    : `changed files that it should check: ${altered.value.join(', ')}`
}

async function passCheck(
  needs: LandingNeeds,
  job: Job,
  landing: Landing,
  state: Checking,
  checks: Landing['checks'],
): Promise<boolean> {
  const next = job.plan.checks[state.checkIndex + 1]
  if (next === undefined) {
    return storeLanding(needs, landing, {
      event: { type: 'checks-end' },
      checks,
      notice: { type: 'landing_checked', data: { commit: state.commit, passed: checks.length } },
    })
  }
  const check = newCheck(needs, landing, state.checkIndex + 1, next)
  return storeLanding(needs, landing, {
    event: { type: 'check-next', sessionId: check.session.id },
    checks,
    notice: { type: 'landing_checking', data: { commit: state.commit, check: next } },
    also: check.insert,
  })
}

type Failed = { readonly checks: Landing['checks']; readonly end: SessionEnd; readonly result: CheckResult }

async function failCheck(
  needs: LandingNeeds,
  landing: Landing,
  state: Checking,
  failed: Failed,
): Promise<boolean> {
  const { checks, end, result } = failed
  const lostBefore = landing.checks.filter((check) => !check.passed).length
  if (end.type === 'lost' && lostBefore + 1 < MAX_LOST_CHECKS) {
    return storeLanding(needs, landing, {
      event: { type: 'check-lost' },
      checks,
      notice: { type: 'landing_checking', data: { commit: state.commit, check: result.command, lost: true } },
    })
  }
  const reason = `check "${result.command}" ${result.detail}`
  return storeLanding(needs, landing, {
    event: { type: 'landing-reject', reason },
    checks,
    notice: { type: 'landing_rejected', data: { check: result.command, reason } },
    task: {
      event: { type: 'landing-rejected', reason },
      notice: { type: 'task_failed', data: { status: 'failed', error: reason } },
    },
  })
}

/** The last words of a failed check: what a person, or the next planner, needs to see. */
async function outputOf(needs: LandingNeeds, state: Checking): Promise<string> {
  const session = await needs.store.read.sessions.find(state.sessionId)
  if (session === undefined) return ''
  const texts = await Promise.all(
    (['out', 'err'] as const).map(async (spool) => {
      const size = spool === 'out' ? session.outOffset : session.errOffset
      const bytes = await needs.host.read(
        hostOf(session),
        spool,
        Math.max(0, size - DETAIL_BYTES),
        DETAIL_BYTES,
      )
      return new TextDecoder().decode(bytes).replaceAll('\u0000', '\ufffd').trim()
    }),
  )
  const text = texts.filter((part) => part !== '').join('\n')
  return text === '' ? '' : `:\n${text}`
}

/** The check's output is in the event log by now; its tree is kept while further checks run in it. */
async function clearAway(
  needs: LandingNeeds,
  landing: Landing,
  state: Checking,
  keepTree: boolean,
): Promise<void> {
  await needs.host.remove(hostOf({ id: state.sessionId, life: 1 }))
  if (!keepTree) await needs.hub.removeTree(treeOfCheck(needs, landing, state.commit))
}
