import { randomBytes } from 'node:crypto'
import { homedir, type UserInfo, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { APPROVAL_LIMITS } from '../domain/limits/approval-limits.ts'
import { LANDING_LIMITS } from '../domain/limits/landing-limits.ts'
import { RECOVERY_LIMITS } from '../domain/limits/recovery-limits.ts'
import { SESSION_LIMITS } from '../domain/limits/session-limits.ts'
import { TREE_LIMITS } from '../domain/limits/tree-limits.ts'
import type { EngineSettings } from '../engine/engine-needs.ts'
import { accountHomeOf } from './account-home.ts'
import { bytesUsedBy } from './disk-use.ts'
import { passedEnvironment } from './environment-allow-list.ts'
import type { Home } from './home-files.ts'
import type { KnownSecrets } from './secrets/known-secrets.ts'
import { learnFromConfiguration } from './secrets/which-are-secret.ts'
import { tokenOfSession } from './token.ts'

type Parts = {
  readonly home: Home
  readonly token: string
  readonly secrets: KnownSecrets
  readonly daemonUrl: () => string
}

const OWN_PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

/** The settings that environment variables can change, with their defaults. */
export function engineSettings(parts: Parts): EngineSettings {
  const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback) || fallback
  return {
    treesDirectory: parts.home.trees,
    warmDirectory: parts.home.warm,
    stalledJobs: new Set(),
    keptTrees: new Set(),
    hubsDirectory: parts.home.hubs,
    musterHome: parts.home.directory,
    personHome: homedir(),
    ...accountHomeOf(homedir(), readAccount()?.homedir),
    ownTools: [parts.home.bin, dirname(process.execPath), OWN_PACKAGE],
    passedEnvironment: passedEnvironment(process.env, { ownPackage: OWN_PACKAGE, ownTools: parts.home.bin }),
    credentialsOf: (names) => presentOf(process.env, names),
    learnSecretsIn: (configuration) => learnFromConfiguration(parts.secrets, process.env, configuration),
    redaction: parts.secrets,
    trustsAll: process.env['MUSTER_TRUST'] === 'all',
    daemonUrl: parts.daemonUrl,
    tokenOf(sessionId) {
      const token = tokenOfSession(parts.token, sessionId)
      parts.secrets.learnToken(token)
      return token
    },
    makeBoundary: () => randomBytes(9).toString('hex'),
    random: Math.random,
    shuffle: (items) =>
      items
        .map((item) => ({ item, place: randomBytes(6).toString('hex') }))
        .toSorted((one, two) => one.place.localeCompare(two.place))
        .map(({ item }) => item),
    maxSessions: number('MUSTER_MAX_SESSIONS', SESSION_LIMITS.running),
    outputCapBytes: number('MUSTER_OUTPUT_CAP_MB', SESSION_LIMITS.outputMb) * 2 ** 20,
    checkMinutes: number('MUSTER_CHECK_MINUTES', LANDING_LIMITS.checkMinutes),
    checkSlots: number('MUSTER_CHECK_SLOTS', LANDING_LIMITS.checkSlots),
    usualWork: {
      files: number('MUSTER_UNUSUAL_FILES', LANDING_LIMITS.unusualFiles),
      bytes: number('MUSTER_UNUSUAL_MB', LANDING_LIMITS.unusualMb) * 2 ** 20,
    },
    stopGraceMs: number('MUSTER_STOP_GRACE_MS', SESSION_LIMITS.stopGraceMs),
    finishGraceMs: number('MUSTER_FINISH_GRACE_MS', SESSION_LIMITS.finishGraceMs),
    nudgeGraceMs: number('MUSTER_NUDGE_GRACE_MS', RECOVERY_LIMITS.nudgeGraceMs),
    readyMs: number('MUSTER_READY_SECONDS', SESSION_LIMITS.readySeconds) * 1_000,
    approvalMinutes: number('MUSTER_APPROVAL_MINUTES', APPROVAL_LIMITS.minutes),
    limitMinutes: number('MUSTER_LIMIT_MINUTES', SESSION_LIMITS.quotaMinutes),
    handoffShare: number('MUSTER_HANDOFF_SHARE', SESSION_LIMITS.handoffShare),
    ...sandboxLevelOf(process.env['MUSTER_SANDBOX']),
    minimumFreeMb: number('MUSTER_MINIMUM_FREE_MB', TREE_LIMITS.minimumFreeMb),
    freeMemoryMb: () => Math.floor(process.availableMemory() / 2 ** 20),
    bytesUsedBy,
    userName: personName(process.env),
    setupMs: number('MUSTER_SETUP_MINUTES', SESSION_LIMITS.setupMinutes) * 60_000,
    warmTrees:
      process.env['MUSTER_WARM_TREES'] === '0' ? 0 : number('MUSTER_WARM_TREES', TREE_LIMITS.warmTrees),
  }
}

const LEVELS = ['auto', 'bubblewrap', 'pid-namespace', 'process-group', 'none'] as const

function sandboxLevelOf(text: string | undefined): Pick<EngineSettings, 'sandboxLevel'> {
  const level = LEVELS.find((known) => known === text)
  return level === undefined ? {} : { sandboxLevel: level }
}

function presentOf(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const entries = names.map((name) => [name, environment[name]] as const)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** The name of the user this process runs as, or the user's number if the system has no name for it. */
function personName(environment: Readonly<Record<string, string | undefined>>): string {
  return readAccount()?.username ?? (environment['USER'] || String(process.getuid?.() ?? 'person'))
}

/** The account this process runs as; undefined if the system has none for its user. */
function readAccount(): UserInfo<string> | undefined {
  try {
    return userInfo()
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    return undefined
  }
}
