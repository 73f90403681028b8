import { failure, success } from '../domain/result.ts'
import { describeRestoreFailure } from './backup/restore-failure-words.ts'
import { type RestoreRequest, restoreHome } from './backup/restore-home.ts'
import { composeRestore } from './compose.ts'
import { createCrashPoints } from './crash-on-purpose.ts'
import { openLog } from './daemon-log.ts'
import { findDatabaseUrl } from './database-url.ts'
import { openPostgres } from './open-daemon.ts'

/** Makes a home from a backup, without a daemon. */
export async function restore(request: RestoreRequest) {
  const restored = await restoreHome(
    {
      now: () => new Date(),
      crash: createCrashPoints(process.env['MUSTER_CRASH_AT']),
      async openTarget(home, stack) {
        const log = openLog(home.logFile, (text) => text)
        const url = await findDatabaseUrl(process.env)
        if (!url.ok)
          return failure({ type: 'restore-failed', home: home.directory, problem: url.failure.type })
        const postgres = await openPostgres({ log }, home, url.value)
        if (!postgres.ok) return postgres
        stack.defer(() => postgres.value.stop())
        const target = composeRestore(home, postgres.value)
        stack.defer(() => target.close())
        return success(target)
      },
    },
    request,
  )
  return restored.ok ? restored : { ok: false as const, failure: describeRestoreFailure(restored.failure) }
}
