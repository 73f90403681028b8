import { describeFailure } from '../contract/failure/failure-table.ts'
import { failure, type Result, success } from '../domain/result.ts'
import { readDatabaseSetting } from './compose.ts'
import type { DaemonFailure } from './daemon-failure.ts'

/** As the value of MUSTER_DATABASE_URL: use the embedded database, whatever the configuration names. */
const EMBEDDED = 'embedded'

/**
 * The PostgreSQL that the person chose for Muster; undefined for the embedded one. A `DATABASE_URL` in the environment
 * usually belongs to an application, so it is used only if the person's configuration names it.
 */
export async function findDatabaseUrl(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<string | undefined, DaemonFailure>> {
  const own = environment['MUSTER_DATABASE_URL']
  if (own === EMBEDDED) return success(undefined)
  if (own !== undefined && own !== '') return success(own)
  const setting = await readDatabaseSetting()
  if (!setting.ok) {
    return failure({
      type: 'setting-invalid',
      problem: describeFailure(setting.failure).message,
      next: 'correct the file, then muster doctor',
    })
  }
  if (setting.value === undefined || 'url' in setting.value) return success(setting.value?.url)
  const { env } = setting.value
  const url = environment[env]
  if (url !== undefined && url !== '') return success(url)
  return failure({
    type: 'setting-invalid',
    problem: `your configuration takes the database from ${env}, but ${env} is not set`,
    next: `set ${env}, or remove "database" from your configuration to use the built-in database`,
  })
}
