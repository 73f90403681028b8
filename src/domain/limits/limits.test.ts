import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { APPROVAL_LIMITS } from './approval-limits.ts'
import { CLEANUP_LIMITS } from './cleanup-limits.ts'
import { DAEMON_PERIODS } from './daemon-periods.ts'
import { FILE_LIMITS } from './file-limits.ts'
import { JOB_DEFAULTS } from './job-defaults.ts'
import { LANDING_LIMITS } from './landing-limits.ts'
import { MESSAGE_LIMITS } from './message-limits.ts'
import { RECOVERY_DEFAULTS, RECOVERY_LIMITS } from './recovery-limits.ts'
import { RETRY_LIMITS } from './retry-limits.ts'
import { PLAYBOOK_DEFAULTS, RUN_LIMITS } from './run-limits.ts'
import { SESSION_LIMITS } from './session-limits.ts'
import { TREE_LIMITS } from './tree-limits.ts'

const SPEC = readFileSync(new URL('../../../docs/SPEC.md', import.meta.url), 'utf8')

/** A row that is about something else may name the same setting. */
const BY_LIMIT = /^fixed$|`playbook\.yaml`$/

/** The default in the row that names a setting; or that begins with this text, if it is fixed or a playbook sets it. */
function defaultOf(key: string): string | undefined {
  const rows = SPEC.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const found = rows.find(
    ([, limit = '', , setBy = '']) =>
      setBy.includes(`\`${key}\``) || (limit.startsWith(key) && BY_LIMIT.test(setBy)),
  )
  return found?.[2]
}

describe('the limits in docs/SPEC.md', () => {
  it.each([
    ['--max-cycles', `${JOB_DEFAULTS.maxCycles}`],
    ['--time-limit', `${JOB_DEFAULTS.jobMinutes} minutes`],
    ['--parallel', `${JOB_DEFAULTS.parallel}`],
    ['MUSTER_ATTEMPT_MINUTES', `${JOB_DEFAULTS.attemptMinutes} minutes`],
    ['limits.maxAttempts', `${RETRY_LIMITS.taskAttempts}`],
    ['attempts at one discovery', `${RETRY_LIMITS.discoveries}`],
    ['handoffs of one attempt', `${RETRY_LIMITS.handoffs}`],
    ['MUSTER_CHECK_MINUTES', `${LANDING_LIMITS.checkMinutes} minutes`],
    ['MUSTER_CHECK_SLOTS', `${LANDING_LIMITS.checkSlots}`],
    ['MUSTER_UNUSUAL_FILES', `${LANDING_LIMITS.unusualFiles}`],
    ['MUSTER_UNUSUAL_MB', `${LANDING_LIMITS.unusualMb} MB`],
    ['landings in one candidate', `${LANDING_LIMITS.batch}`],
    ['MUSTER_APPROVAL_MINUTES', `${APPROVAL_LIMITS.minutes} minutes`],
    ['MUSTER_MAX_SESSIONS', `${SESSION_LIMITS.running}`],
    ['time that the place of an ended attempt', `${SESSION_LIMITS.keptPlaceMs / 1_000} seconds`],
    ['MUSTER_LIMIT_MINUTES', `${SESSION_LIMITS.quotaMinutes} minutes`],
    ['MUSTER_HANDOFF_SHARE', `${SESSION_LIMITS.handoffShare}`],
    ['MUSTER_READY_SECONDS', `${SESSION_LIMITS.readySeconds} seconds`],
    ['MUSTER_FINISH_GRACE_MS', `${SESSION_LIMITS.finishGraceMs / 1_000} seconds`],
    ['MUSTER_NUDGE_GRACE_MS', `${RECOVERY_LIMITS.nudgeGraceMs / 60_000} minutes`],
    ['MUSTER_OUTPUT_CAP_MB', `${SESSION_LIMITS.outputMb} MiB`],
    ['MUSTER_STOP_GRACE_MS', `${SESSION_LIMITS.stopGraceMs / 1_000} seconds`],
    ['MUSTER_MINIMUM_FREE_MB', `${TREE_LIMITS.minimumFreeMb} MB`],
    ['one message to a session', `${SESSION_LIMITS.inputBytes / 1024} KiB`],
    ['one question to a session', `${SESSION_LIMITS.questionBytes / 1024} KiB`],
    ['messages sent by one session', `${MESSAGE_LIMITS.perSession}`],
    ['one line of a protocol', `${SESSION_LIMITS.protocolLineBytes / 2 ** 20} MiB`],
    ['one visit of a playbook run', `${PLAYBOOK_DEFAULTS.visitMinutes} minutes`],
    ['an undecided gate', `${PLAYBOOK_DEFAULTS.gateHours} hours`],
    ['running time of a playbook run', `${PLAYBOOK_DEFAULTS.limits.minutes} minutes`],
    ['visits of a playbook run at once', `${PLAYBOOK_DEFAULTS.limits.parallel}`],
    ['recoveries of one visit', `${RECOVERY_DEFAULTS.perVisit}`],
    ['recoveries in one playbook run', `${RECOVERY_DEFAULTS.perRun}`],
    ['the longest visit', `${RUN_LIMITS.visitMinutes} minutes`],
    ['the longest run', `${RUN_LIMITS.runMinutes} minutes`],
    ['the longest wait of a gate', `${RUN_LIMITS.gateHours} hours`],
    ['branches of one stage', `${RUN_LIMITS.branches}`],
    ['stages of a playbook', `${RUN_LIMITS.stages}`],
    ['fields and list entries of a YAML file', `${FILE_LIMITS.entries}`],
    ['problems that are reported about a playbook', `${FILE_LIMITS.problems}`],
    ['--older-than', `${CLEANUP_LIMITS.jobDays} days`],
    ['time that `muster clean` keeps', `${CLEANUP_LIMITS.pinnedDays} days`],
    ['time that `muster gc` keeps unused', `${CLEANUP_LIMITS.baselineDays} days`],
    ['time that `muster gc` keeps objects', `${CLEANUP_LIMITS.unreachableHours} hours`],
    ['running time of a program without a daemon', `${DAEMON_PERIODS.unwatchedMinutes} minutes`],
  ])('state the default of %s', (key, value) => {
    expect(defaultOf(key)).toBe(value)
  })
})
